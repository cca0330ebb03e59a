import PostalMime from 'postal-mime';
import { vi } from 'vitest';
import { newAddress, sendCode, verifyCode } from '../http/client.ts';
import { present } from '../http/fixtures.ts';
import type { BuiltServer } from '../process/built-server.ts';
import type { SmtpSink, SunkMail } from './smtp-sink.ts';

/** The code in the newest email to an address. */
export const codeMailedTo = async ({ mails }: SmtpSink, email: string): Promise<string> => {
	const mail = present(mails.findLast(({ recipients }) => recipients.includes(email)));
	const { text } = await PostalMime.parse(mail.raw);
	return present(/\b(\d{6})\b/.exec(text ?? '')?.[1]);
};

/** Signs a new person up with the code that arrived at the mail server. */
export const signUpByMail = async (
	server: BuiltServer,
	sink: SmtpSink,
	email = newAddress()
): Promise<{ readonly email: string; readonly token: string }> => {
	await sendCode(server, email);
	const answer = await verifyCode(server, email, await codeMailedTo(sink, email));
	// The welcome follows the answer.
	const arrived = (): readonly SunkMail[] =>
		sink.mails.filter(({ recipients }) => recipients.includes(email));
	await vi.waitUntil(() => arrived().length === 2, 20_000);
	return { email, token: (answer.json() as { token: string }).token };
};
