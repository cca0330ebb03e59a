/** Devices, put into words by device-name.ts. */
export const device = {
	unknown: 'an unknown device',
	unknownProgram: 'an unknown program',
	app: (technique: string): string => `an app (${technique})`,
	on: (program: string, system: string): string => `${program} on ${system}`
};

/** Created once: creating a formatter takes longer than rendering the rest of an email. */
let moments: Intl.DateTimeFormat | null = null;

/** Texts of emails. They contain nothing that a person typed, such as a name. */
export const mail = {
	help: (email: string): string => `Questions? Write to ${email}.`,
	/** What to do about a change that the recipient did not make. */
	objectTo: (email: string): string => `If this wasn’t you, write to ${email} immediately.`,
	object: (site: string): string =>
		`If this wasn’t you, contact the operators of ${site} immediately.`,
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
	/** When and from which device a code or a link was requested. */
	requested: (at: string, source: string): string => `Requested on ${at} from ${source}.`,
	/** The code comes first, because lists and locked screens cut the end of a subject. */
	codeInSubject: (code: string, subject: string): string => `${code} · ${subject}`,
	codes: {
		lives: (time: string): string => `It works once and expires after ${time}.`,
		never: (site: string): string => `${site} will never ask you for this code, so don’t share it.`,
		preheader: (time: string): string =>
			`It works once and expires after ${time}. If you didn’t request it, ignore this email.`,
		signIn: {
			subject: (site: string): string => `Your sign-in code for ${site}`,
			heading: 'Your sign-in code',
			intro: (site: string): string => `Enter this code to sign in to ${site}:`,
			ignore: 'If you didn’t request it, ignore this email. Nobody can sign in without the code.'
		},
		verification: {
			subject: (site: string): string => `Confirm your email address for ${site}`,
			heading: 'Confirm your email address',
			intro: (site: string): string =>
				`Enter this code at ${site} to confirm that this email address is yours:`,
			ignore: 'If you didn’t request it, ignore this email and nothing will change.'
		},
		change: {
			subject: (site: string): string => `Your code to change an email address at ${site}`,
			heading: 'Confirm your new email address',
			intro: (account: string, site: string): string =>
				`${account} wants to change the email address of its account at ${site} to this one. Enter this code only if that account is yours:`,
			ignore: 'If that account isn’t yours, ignore this email and nothing will change.'
		},
		reauthentication: {
			subject: (site: string): string => `Your code to change your email address at ${site}`,
			heading: 'Change your email address',
			intro: (to: string, site: string): string =>
				`Use this code to move your account to ${to}. Enter it where you are signed in to ${site}:`,
			ignore: (site: string): string =>
				`If you didn’t request this, don’t enter the code. Someone else is signed in to your account: sign in to ${site}, open the settings and sign out all other devices.`
		}
	},
	welcome: {
		subject: (site: string): string => `Welcome to ${site}`,
		heading: (site: string): string => `Welcome to ${site}`,
		intro: (email: string): string => `Your account for ${email} is ready.`,
		how: 'There’s no password. Each time you sign in, we’ll send a new code to this email address.',
		open: 'Open your account',
		preheader: 'Your account is ready. There’s no password to remember.'
	},
	changeLink: {
		subject: (site: string): string => `Confirm your new email address for ${site}`,
		heading: 'Confirm your new email address',
		intro: (account: string, site: string): string =>
			`${account} wants to change the email address of its account at ${site} to this one. Confirm only if that account is yours.`,
		confirm: 'Confirm this email address',
		lives: (time: string): string =>
			`The link works once, within ${time}. Open it in a browser where you’re signed in. Nothing changes until you confirm on the page. The link stops working when the device that requested it is signed out.`,
		fallback: 'If the button doesn’t work, open this address:',
		ignore: (site: string): string =>
			`If that account isn’t yours, ignore this email and nothing will change. ${site} will never ask you for this link, so don’t share it.`,
		preheader: (time: string): string =>
			`The link works once, within ${time}. If that account isn’t yours, ignore this email.`
	},
	/** Where a request came from: the device and its IP address. */
	source: (device: string, address: string): string => `${device}, ${address}`,
	addressChanged: {
		requested: {
			subject: (site: string): string => `A change of your email address at ${site} was requested`,
			heading: 'Email change requested',
			intro: (to: string, site: string): string =>
				`A device that is signed in to your account at ${site} requested to change its email address to ${to}. Nothing changes unless the new email address is confirmed.`,
			detail: (at: string, source: string): string => `Requested on ${at} from ${source}.`
		},
		completed: {
			subject: (site: string): string => `Your email address at ${site} was changed`,
			heading: 'Your email address was changed',
			intro: (to: string, site: string): string =>
				`The email address of your account at ${site} is now ${to}. We no longer send codes to this email address, and all other devices were signed out.`,
			detail: (at: string, source: string): string => `Changed on ${at} from ${source}.`
		},
		preheader: 'If this wasn’t you, contact us immediately.'
	},
	accountDeleted: {
		subject: (site: string): string => `Your account at ${site} was deleted`,
		heading: 'Your account was deleted',
		intro: (email: string, site: string): string =>
			`The account ${email} at ${site} was deleted, and all its devices were signed out.`,
		detail: (at: string, source: string): string => `Deleted on ${at} from ${source}.`,
		restore: (until: string): string =>
			`To restore the account, sign in with a code sent to this email address before ${until}. After that, the account is permanently removed.`,
		open: 'Sign in',
		preheader: 'You can still restore it. If this wasn’t you, contact us immediately.'
	},
	check: {
		subject: (site: string): string => `Test email from ${site}`,
		heading: 'Email works',
		intro: (site: string): string => `${site} can send email to this email address.`,
		detail: 'It was sent by npm run mail:check. You don’t need to do anything.',
		ignore: 'If it arrived in the spam folder, check SPF, DKIM and DMARC of the sending domain.',
		preheader: 'You don’t need to do anything.'
	}
};
