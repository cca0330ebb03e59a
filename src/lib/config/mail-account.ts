import { parseEmail } from '#lib/domain/email.ts';
import { ok } from '#lib/domain/errors.ts';
import { refuse, type Checked, type Findings } from './checked.ts';
import { checkPlain, readServer, type MailServer } from './mail-server.ts';

/** A mail server, and what it needs to accept emails. */
export interface SmtpAccount extends MailServer {
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

/** Reads one provider. `usualFrom` is the sender if none is set. Without it, a sender is required. */
export const readAccount = (
	findings: Findings,
	key: string,
	usualFrom?: MailAddress
): SmtpAccount => {
	const { value, note } = findings;
	const server = readServer(findings);
	const written = value('EMAIL_FROM');
	const from =
		written === undefined && usualFrom !== undefined
			? usualFrom
			: note('EMAIL_FROM', parseFrom(written), { name: null, address: '' });
	const plain = value('EMAIL_ALLOW_PLAIN') === '1';
	if (plain) note('EMAIL_ALLOW_PLAIN', checkPlain(server.host), null);
	const user = value('EMAIL_USER') ?? USERS[server.host]?.(key) ?? from.address;
	if (server.host.endsWith('.amazonaws.com') && value('EMAIL_USER') === undefined) {
		note('EMAIL_USER', missingSesUser, null);
	}
	return { ...server, plain, user, key, from };
};

const missingSesUser = refuse(
	'Amazon SES needs its own SMTP user name',
	'Set it to the SMTP user name that SES created with the SMTP password'
);

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
