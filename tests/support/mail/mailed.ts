import { vi } from 'vitest';
import { newAddress, sendCode, verifyCode } from '../http/client.ts';
import type { BuiltServer } from '../process/built-server.ts';
import type { SmtpSink } from './smtp-sink.ts';

/**
 * The code in the newest email to an address; waits for its first one, as the answer to a request for an
 * email change does not. The code has a line of its own in the plain text.
 */
export const codeMailedTo = ({ mails }: SmtpSink, email: string): Promise<string> =>
	vi.waitUntil(() => {
		const mail = mails.findLast(({ recipients }) => recipients.includes(email));
		return /^(\d{6})\r?$/m.exec(mail?.raw ?? '')?.[1];
	}, 20_000);

/** Signs a new person up with the code that arrived at the mail server. */
export const signUpByMail = async (
	server: BuiltServer,
	sink: SmtpSink,
	email = newAddress()
): Promise<{ readonly email: string; readonly token: string }> => {
	await sendCode(server, email);
	const answer = await verifyCode(server, email, await codeMailedTo(sink, email));
	// The welcome follows the answer.
	const welcomed = (): boolean =>
		sink.mails.filter(({ recipients }) => recipients.includes(email)).length === 2;
	await vi.waitUntil(welcomed, 20_000);
	return { email, token: (answer.json() as { token: string }).token };
};
