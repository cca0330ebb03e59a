import type { Brand } from '../brand.ts';
import type { Email } from '../email.ts';

/**
 * The mailbox that an email address delivers to, as far as its text shows. Only the send throttle uses
 * it, so that one mailbox cannot be flooded through its variants. It never identifies an account.
 */
export type Mailbox = Brand<string, 'Mailbox'>;

/** Google ignores dots in these local parts and delivers both domains to one mailbox. */
const GOOGLE = new Set(['gmail.com', 'googlemail.com']);

/**
 * The email address without its `+tag`; at Google also without dots, and with one domain for both of
 * its names. A provider that gives `a+b` and `a` to two people makes them share five sends, which
 * anybody could use up before as well. A local part that is nothing but a tag stays as it is.
 */
export const mailboxOf = (email: Email): Mailbox => {
	const at = email.lastIndexOf('@');
	const [local, domain] = [email.slice(0, at), email.slice(at + 1)];
	const tag = local.indexOf('+');
	const name = tag > 0 ? local.slice(0, tag) : local;
	const mailbox = GOOGLE.has(domain)
		? `${name.replaceAll('.', '')}@gmail.com`
		: `${name}@${domain}`;
	return mailbox as Mailbox;
};
