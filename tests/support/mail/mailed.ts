import PostalMime from 'postal-mime';
import { present } from '../http/fixtures.ts';
import type { SmtpSink } from './smtp-sink.ts';

/** Settings of a server that sends through a local mail server. */
export const mailingThrough = (port: number): Readonly<Record<string, string>> => ({
	EMAIL_API_KEY: 'mVx2Qe7Lr9',
	EMAIL_HOST: '127.0.0.1',
	EMAIL_PORT: String(port),
	EMAIL_ALLOW_PLAIN: '1',
	EMAIL_FROM: 'no-reply@postern.test'
});

/** The code in the newest email to an address. */
export const codeMailedTo = async ({ mails }: SmtpSink, email: string): Promise<string> => {
	const mail = present(mails.findLast(({ recipients }) => recipients.includes(email)));
	const { text } = await PostalMime.parse(mail.raw);
	return present(/\b(\d{6})\b/.exec(text ?? '')?.[1]);
};
