import { isIP } from 'node:net';
import wellKnown from 'nodemailer/lib/well-known';
import { z } from 'zod';
import { parseEmail, type Email } from '#lib/domain/email.ts';
import { err, ok, type Result } from '#lib/domain/errors.ts';
import { isThisMachine } from './addresses.ts';
import { parsed, permission, port, quoted, type Refuse } from './settings.ts';

export interface SmtpAccount {
	/** The provider as the operator named it. Null for any other server. */
	readonly service: string | null;
	readonly host: string;
	readonly port: number;
	/** TLS from the first byte. Otherwise STARTTLS. */
	readonly implicitTls: boolean;
	/** No TLS, which is allowed only to this machine. */
	readonly plain: boolean;
	readonly user: string;
	readonly key: string;
	/** Without a name, the name of the site is shown. */
	readonly from: { readonly name: string | null; readonly address: string };
}

type MailServer = Pick<SmtpAccount, 'service' | 'host' | 'port' | 'implicitTls'>;

/** Some providers offer 2465 for networks that block 465. */
const IMPLICIT_TLS_PORTS = [465, 2465];

const parseService = (name: string, prefix: string): Result<MailServer, string> => {
	const known = wellKnown(name);
	if (typeof known === 'object') {
		const { host = 'localhost', port = 587, secure = false } = known;
		return ok({ service: name, host, port: Number(port), implicitTls: secure });
	}
	return err(
		`"${name}" is not a known mail service. Known services include Resend, Postmark, SES-EU-WEST-1, SendGrid and Mailgun. For other services, set ${prefix}HOST instead`
	);
};

const RESEND: MailServer = {
	service: 'Resend',
	host: 'smtp.resend.com',
	port: 465,
	implicitTls: true
};

const isHostName = (text: string): boolean =>
	isIP(text) !== 0 || /^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/i.test(text);

const FIX_FROM =
	'Write one address of a domain that you may send from, such as no-reply@example.org or Name <no-reply@example.org>';
/** Other letters of a domain must be written as `xn--…`. */
export const asciiOnly = {
	toAscii: (domain: string) => (/^[\0-\x7f]+$/.test(domain) ? domain : null)
};

export const plainEmail = (text: string): Result<Email, string> => {
	const email = parseEmail(text, asciiOnly);
	return email.ok
		? email
		: err(
				`${JSON.stringify(text)} is not an email address. Write one, such as help@example.org, with other than English letters of the domain as xn--…`
			);
};

/** `address`, `Name <address>` or `"Name" <address>`: one address and nothing else. */
const parseFrom = (text: string): Result<SmtpAccount['from'], string> => {
	const [, quotedName, bareName = '', inside] =
		/^(?:"([^"\\<>\p{Cc}]*)"|([^"\\<>@,;:\p{Cc}]*?))\s*<([^<>]*)>$/u.exec(text) ?? [];
	const address = parseEmail(inside ?? text, asciiOnly);
	return address.ok
		? ok({ name: (quotedName ?? bareName).trim() || null, address: address.value })
		: err(`${JSON.stringify(text)} is not a single plain email address. ${FIX_FROM}`);
};

/** One provider. The second one has the same settings, under its own prefix. */
export const accountSettings = (prefix: string) =>
	z.object({
		API_KEY: z.string().optional(),
		SERVICE: parsed((name) => parseService(name, prefix)).optional(),
		HOST: z
			.string()
			.refine(
				isHostName,
				quoted(
					`is not a host name. Write only the name, such as mail.example.org. Set the port in ${prefix}PORT`
				)
			)
			.optional(),
		PORT: port.optional(),
		USER: z.string().optional(),
		FROM: parsed(parseFrom).optional(),
		ALLOW_PLAIN: permission
	});
export type AccountSettings = z.output<ReturnType<typeof accountSettings>>;

/** Providers with one user name for all customers. Postmark uses the key as the name, too. */
const USERS: Readonly<Record<string, (key: string) => string>> = {
	'smtp.resend.com': () => 'resend',
	'smtp.sendgrid.net': () => 'apikey',
	'smtp.postmarkapp.com': (key) => key
};

/** `usualFrom` is the sender if none is set. Without it, a sender is required. */
export const accountOf = (
	set: AccountSettings,
	key: string,
	prefix: string,
	refuse: Refuse,
	usualFrom?: SmtpAccount['from']
): SmtpAccount => {
	const server = serverOf(set, prefix, refuse);
	const from = set.FROM ?? usualFrom ?? { name: null, address: '' };
	if (from.address === '') refuse(`${prefix}FROM`, `it is missing. ${FIX_FROM}`);
	const plain = set.ALLOW_PLAIN === '1';
	if (plain && !isThisMachine(server.host)) {
		refuse(
			`${prefix}ALLOW_PLAIN`,
			`the key and all codes would be sent unencrypted over the network to ${server.host}. Remove it. It is only for a mail server on this machine (${prefix}HOST=127.0.0.1)`
		);
	}
	if (server.host.endsWith('.amazonaws.com') && set.USER === undefined) {
		refuse(
			`${prefix}USER`,
			'Amazon SES needs its own SMTP user name. Set it to the SMTP user name that SES created with the SMTP password'
		);
	}
	const user = set.USER ?? USERS[server.host]?.(key) ?? from.address;
	return { ...server, plain, user, key, from };
};

const serverOf = (set: AccountSettings, prefix: string, refuse: Refuse): MailServer => {
	if (set.HOST !== undefined && set.SERVICE !== undefined) {
		refuse(`${prefix}SERVICE`, `${prefix}HOST also names a mail server. Remove one of the two`);
	}
	const server =
		set.HOST === undefined
			? (set.SERVICE ?? RESEND)
			: { service: null, host: set.HOST, port: 587, implicitTls: false };
	return set.PORT === undefined
		? server
		: { ...server, port: set.PORT, implicitTls: IMPLICIT_TLS_PORTS.includes(set.PORT) };
};
