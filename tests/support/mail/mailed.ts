import PostalMime from 'postal-mime';
import { present } from '../http/fixtures.ts';
import type { SmtpSink } from './smtp-sink.ts';

/** The code in the newest email to an address. */
export const codeMailedTo = async ({ mails }: SmtpSink, email: string): Promise<string> => {
	const mail = present(mails.findLast(({ recipients }) => recipients.includes(email)));
	const { text } = await PostalMime.parse(mail.raw);
	return present(/\b(\d{6})\b/.exec(text ?? '')?.[1]);
};
