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
			`It works once and expires after ${time}. If you did not ask for it, ignore this mail.`,
		signIn: {
			subject: (site: string): string => `Your sign-in code for ${site}`,
			heading: 'Your sign-in code',
			intro: (site: string): string => `Enter this code to sign in to ${site}:`,
			ignore: 'If you did not ask for it, ignore this mail: without the code nobody gets in.'
		},
		verification: {
			subject: (site: string): string => `Confirm your address for ${site}`,
			heading: 'Confirm your address',
			intro: (site: string): string =>
				`Enter this code at ${site} to confirm that this address is yours:`,
			ignore: 'If you did not ask for it, ignore this mail and nothing will change.'
		},
		change: {
			subject: (site: string): string => `Your code for a change of address at ${site}`,
			heading: 'Confirm your new address',
			intro: (account: string, site: string): string =>
				`The account ${account} at ${site} asks to use this address from now on. Enter this code only if that account is yours:`,
			ignore: 'If that account is not yours, ignore this mail and nothing will change.'
		},
		reauthentication: {
			subject: (site: string): string => `Your code to change your email address at ${site}`,
			heading: 'Change your email address',
			intro: (to: string, site: string): string =>
				`Use this code to move your account to ${to}. Enter it where you are signed in to ${site}:`,
			ignore: (site: string): string =>
				`If you did not request this, do not enter the code. Someone is signed in to your account: sign in to ${site}, open the settings and sign out all other devices.`
		}
	},
	welcome: {
		subject: (site: string): string => `Welcome to ${site}`,
		heading: (site: string): string => `Welcome to ${site}`,
		intro: (email: string): string => `Your account for ${email} is ready.`,
		how: 'There is no password. Whenever you sign in, a new code comes to this address.',
		open: 'Open your account',
		preheader: 'Your account is ready. There is no password to remember.'
	},
	changeLink: {
		subject: (site: string): string => `Confirm your new address for ${site}`,
		heading: 'Confirm your new address',
		intro: (account: string, site: string): string =>
			`The account ${account} at ${site} asks to use this address from now on. Confirm only if that account is yours.`,
		confirm: 'Confirm this address',
		lives: (time: string): string =>
			`The link works once, within ${time}. Opening it changes nothing: the page shows both addresses and asks you to confirm, in a browser where you are signed in. The link stops working when the device that requested it is signed out.`,
		fallback: 'If the button does not work, open this address:',
		ignore: (site: string): string =>
			`If that account is not yours, ignore this mail and nothing will change. Nobody from ${site} will ever ask you for this link, so keep it to yourself.`,
		preheader: (time: string): string =>
			`The link works once, within ${time}. If that account is not yours, ignore this mail.`
	},
	/** Where something was done from: the words for a device, and its address on the network. */
	source: (device: string, address: string): string => `${device}, ${address}`,
	addressChanged: {
		requested: {
			subject: (site: string): string => `A change of your address at ${site} was asked for`,
			heading: 'Address change requested',
			intro: (to: string, site: string): string =>
				`Somebody who is signed in to your account at ${site} asked to change its address to ${to}. Nothing changes unless the new address is confirmed.`,
			detail: (at: string, source: string): string => `Asked for on ${at} from ${source}.`
		},
		completed: {
			subject: (site: string): string => `Your address at ${site} was changed`,
			heading: 'Your address was changed',
			intro: (to: string, site: string): string =>
				`Your account at ${site} now belongs to ${to}. Codes no longer come to this address, and all other devices were signed out.`,
			detail: (at: string, source: string): string => `Changed on ${at} from ${source}.`
		},
		preheader: 'If this was not you, object at once.'
	},
	accountDeleted: {
		subject: (site: string): string => `Your account at ${site} was deleted`,
		heading: 'Your account was deleted',
		intro: (email: string, site: string): string =>
			`The account ${email} at ${site} was deleted, and all its devices were signed out.`,
		detail: (at: string, source: string): string => `Deleted on ${at} from ${source}.`,
		restore: (until: string): string =>
			`Changed your mind? Sign in as usual, with a code sent to this address, before ${until}: you will be offered to restore the account. After that it is gone for good.`,
		open: 'Sign in',
		preheader: 'It can still be restored. If this was not you, object at once.'
	},
	check: {
		subject: (site: string): string => `Test mail from ${site}`,
		heading: 'Mail works',
		intro: (site: string): string => `${site} can send mail to this address.`,
		detail: 'It was sent by npm run mail:check. There is nothing to do.',
		ignore: 'Landed in the spam folder? Check SPF, DKIM and DMARC of the sending domain.',
		preheader: 'Nothing to do.'
	}
};
