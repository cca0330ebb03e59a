import { parseEmail } from '#lib/domain/email.ts';
import { ok } from '#lib/domain/result.ts';
import { refuse, type Checked, type Findings } from './checked.ts';
import { checkPlain, readServer, type MailServer } from './mail-server.ts';

/** Where email goes: to the console, or through a mail server. */
export type MailConfig = ConsoleConfig | SmtpConfig;

interface LetterConfig {
	/** Whether subjects contain the code as well. */
	readonly codeInSubject: boolean;
}

interface ConsoleConfig extends LetterConfig {
	readonly kind: 'console';
}

export interface SmtpConfig extends MailServer, LetterConfig {
	readonly kind: 'smtp';
	/** No TLS, which is allowed only to this machine. */
	readonly plain: boolean;
	readonly user: string;
	readonly key: string;
	readonly from: MailAddress;
}

export interface MailAddress {
	/** The name to show. Null shows the name of the site. */
	readonly name: string | null;
	readonly address: string;
}

/**
 * Providers whose user name is the same for every customer. Postmark uses the key as the name,
 * too.
 */
const USERS: Readonly<Record<string, (key: string) => string>> = {
	'smtp.resend.com': () => 'resend',
	'smtp.sendgrid.net': () => 'apikey',
	'smtp.postmarkapp.com': (key) => key
};
const OTHER_SETTINGS = ['EMAIL_SERVICE', 'EMAIL_HOST', 'EMAIL_PORT', 'EMAIL_USER', 'EMAIL_FROM'];

/**
 * `isHttps` means that the site is public, whatever `NODE_ENV` says. Such a site prints no codes
 * to the console unless the operator allows it. Its console is usually a log with many readers,
 * and a reader of codes can sign in as any user.
 */
export const readMail = (findings: Findings, isHttps: boolean): MailConfig => {
	const { value, note, warn } = findings;
	const allowed = note('EMAIL_CONSOLE', parseConsole(value('EMAIL_CONSOLE')), true);
	const codeInSubject = note(
		'EMAIL_CODE_IN_SUBJECT',
		parseCodeInSubject(value('EMAIL_CODE_IN_SUBJECT')),
		false
	);
	const key = value('EMAIL_API_KEY');
	if (key === undefined) {
		if (isHttps && !allowed) note('EMAIL_API_KEY', missingKey, null);
		const unused = OTHER_SETTINGS.filter((name) => value(name) !== undefined);
		if (unused.length > 0) {
			warn(
				`${unused.join(', ')} without EMAIL_API_KEY: no email is sent, and codes are printed here`
			);
		}
		return { kind: 'console', codeInSubject };
	}
	const server = readServer(findings);
	const from = note('EMAIL_FROM', parseFrom(value('EMAIL_FROM')), { name: null, address: '' });
	const plain = value('EMAIL_ALLOW_PLAIN') === '1';
	if (plain) note('EMAIL_ALLOW_PLAIN', checkPlain(server.host), null);
	const user = value('EMAIL_USER') ?? USERS[server.host]?.(key) ?? from.address;
	if (server.host.endsWith('.amazonaws.com') && value('EMAIL_USER') === undefined) {
		note('EMAIL_USER', missingSesUser, null);
	}
	return { kind: 'smtp', ...server, plain, user, key, from, codeInSubject };
};

const missingKey = refuse(
	'it is missing, and with an https AUTH_URL codes are printed to the console only if you allow it',
	'Set it to the key of your mail provider. Or set EMAIL_CONSOLE=allow if everyone who can read the console or its log may sign in as any user'
);
const missingSesUser = refuse(
	'Amazon SES needs its own SMTP user name',
	'Set it to the SMTP user name that SES created with the SMTP password'
);

const parseConsole = (value: string | undefined): Checked<boolean> =>
	value === undefined || value === 'allow'
		? ok(value === 'allow')
		: refuse(`"${value}" is not a valid value`, 'Set it to allow, or remove it');

const parseCodeInSubject = (value = 'off'): Checked<boolean> =>
	value === 'on' || value === 'off'
		? ok(value === 'on')
		: refuse(`"${value}" is not a valid value`, 'Set it to on or off');

const asciiOnly = { toAscii: (domain: string) => (/^[\0-\x7f]+$/.test(domain) ? domain : null) };

/** `address`, `Name <address>` or `"Name" <address>`: one address and nothing else. */
const parseFrom = (value: string | undefined): Checked<MailAddress> => {
	const fix =
		'Write one address of a domain that you may send from, such as no-reply@example.org or Name <no-reply@example.org>';
	if (value === undefined) return refuse('it is missing', fix);
	const [, quoted, bare = '', inside] =
		/^(?:"([^"\\<>\p{Cc}]*)"|([^"\\<>@,;:\p{Cc}]*?))\s*<([^<>]*)>$/u.exec(value) ?? [];
	const address = parseEmail(inside ?? value, asciiOnly);
	return address.ok
		? ok({ name: (quoted ?? bare).trim() || null, address: address.value })
		: refuse(`${JSON.stringify(value)} is not a single plain email address`, fix);
};
