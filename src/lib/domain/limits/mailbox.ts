import type { Email } from '../email.ts';
import type { Brand } from '../ids.ts';

/**
 * The mailbox that an email address delivers to, as far as its text shows. Only the send throttle
 * uses it, so that variants of an address cannot flood one mailbox. It never identifies an
 * account.
 */
export type Mailbox = Brand<string, 'Mailbox'>;

/** Google ignores dots in these local parts and delivers both domains to one mailbox. */
const GOOGLE = new Set(['gmail.com', 'googlemail.com']);

/**
 * The email address without its `+tag`. For Google it is also without dots, and with one domain
 * for both of its names. If a provider gives `a+b` and `a` to two people, these two share five
 * sends. Anyone could already use up those sends. A local part that is only a tag stays
 * unchanged.
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
