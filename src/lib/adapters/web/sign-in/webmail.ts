interface Webmail {
	readonly name: string;
	readonly url: string;
}

const webmail = (name: string, url: string, ...domains: readonly string[]) =>
	domains.map((domain): readonly [string, Webmail] => [domain, { name, url }]);

const WEBMAILS: ReadonlyMap<string, Webmail> = new Map([
	...webmail('Gmail', 'https://mail.google.com/', 'gmail.com', 'googlemail.com'),
	...webmail(
		'Outlook',
		'https://outlook.live.com/mail/',
		'outlook.com',
		'hotmail.com',
		'live.com',
		'msn.com',
		'outlook.de',
		'hotmail.de',
		'hotmail.co.uk',
		'hotmail.fr',
		'live.nl'
	),
	...webmail('Yahoo Mail', 'https://mail.yahoo.com/', 'yahoo.com', 'ymail.com', 'yahoo.co.uk'),
	...webmail('iCloud Mail', 'https://www.icloud.com/mail/', 'icloud.com', 'me.com', 'mac.com'),
	...webmail('Proton Mail', 'https://mail.proton.me/', 'proton.me', 'protonmail.com', 'pm.me'),
	...webmail('Fastmail', 'https://app.fastmail.com/', 'fastmail.com', 'fastmail.fm'),
	...webmail('AOL Mail', 'https://mail.aol.com/', 'aol.com'),
	...webmail('GMX', 'https://www.gmx.net/', 'gmx.de', 'gmx.net', 'gmx.at', 'gmx.ch'),
	...webmail('WEB.DE', 'https://web.de/', 'web.de'),
	...webmail('HEY', 'https://app.hey.com/', 'hey.com')
]);

/** The webmail of an email address, or null if we don't know it. */
export const webmailOf = (email: string): Webmail | null =>
	WEBMAILS.get(email.slice(email.lastIndexOf('@') + 1)) ?? null;
