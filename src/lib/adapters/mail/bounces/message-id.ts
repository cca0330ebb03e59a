import { POSTMARK_FIELD } from '#lib/config/mail.ts';
import type { Email } from '#lib/domain/email.ts';
import type { EmailId } from '#lib/domain/ids.ts';

/** Names an email for its Message-ID, so that a bounce can be matched with it. */
export type NameMessage = (id: EmailId, to: Email) => string;

/**
 * Headers that make a provider repeat our Message-ID when it reports a bounce. Postmark reports an
 * id of its own, but returns metadata of up to 80 characters, which is as long as our names are. It
 * removes these headers before it sends the email.
 */
export const providerHeaders = (host: string, name: string): Readonly<Record<string, string>> =>
	/(?:^|\.)postmarkapp\.com$/i.test(host)
		? { [`X-PM-Metadata-${POSTMARK_FIELD}`]: name, 'X-PM-KeepID': 'true' }
		: {};
