/** Devices, put into words by device-name.ts. */
export const device = {
	unknown: 'an unknown device',
	unknownProgram: 'an unknown program',
	app: (technique: string): string => `an app (${technique})`,
	on: (program: string, system: string): string => `${program} on ${system}`
};

/** To make one takes longer than to fill in the rest of a mail. */
let moments: Intl.DateTimeFormat | null = null;

/** Mails. What a person typed in, a name for example, has no place in them. */
export const mail = {
	help: (email: string): string => `Questions? Write to ${email}.`,
	/** How to object, depending on whether the site names an address for that. */
	objectTo: (email: string): string => `Was this not you? Write to ${email} at once.`,
	object: (site: string): string => `Was this not you? Tell the people who run ${site} at once.`,
	time: (minutes: number): string =>
		minutes === 1 ? 'one minute' : minutes === 60 ? 'one hour' : `${minutes} minutes`,
	moment: (date: Date): string => {
		moments ??= new Intl.DateTimeFormat('en', {
			dateStyle: 'long',
			timeStyle: 'short',
			timeZone: 'UTC'
		});
		return `${moments.format(date)} UTC`;
	},
	/** When and from which device a code or a link was asked for. */
	requested: (at: string, source: string): string => `Asked for on ${at} from ${source}.`,
	/** The subject, where an operator wants the code there: first, as lists and locked screens cut the end. */
	codeInSubject: (code: string, subject: string): string => `${code} · ${subject}`,
	codes: {
		lives: (time: string): string => `It works once and expires after ${time}.`,
		never: (site: string): string =>
			`Nobody from ${site} will ever ask you for this code, so keep it to yourself.`,
		preheader: (time: string): string =>
			`It works once and expires after ${time}. If you did not ask for it, ignore this mail.`
	},
	/** Where something was done from: the words for a device, and its address on the network. */
	source: (device: string, address: string): string => `${device}, ${address}`
};
