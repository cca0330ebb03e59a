import { afterAll, beforeAll, expect, test } from 'vitest';
import {
	API,
	bearer,
	call,
	newAddress,
	SEND,
	sendCode,
	times,
	type Answer
} from '../../support/http/client.ts';
import { mailingThrough } from '../../support/mail/mail-settings.ts';
import { signUpByMail } from '../../support/mail/mailed.ts';
import { startSmtpSink, type SmtpSink } from '../../support/mail/smtp-sink.ts';
import { startBuiltServer, type BuiltServer } from '../../support/process/built-server.ts';

/** Connections to the mail server for emails that a request waits for. */
const CONNECTIONS = 5;

let sink: SmtpSink;
// Alone on its database: another process would send some of its emails.
let server: BuiltServer;
let account: { readonly email: string; readonly token: string };
beforeAll(async () => {
	sink = await startSmtpSink();
	server = await startBuiltServer({ env: mailingThrough(sink.port) });
	account = await signUpByMail(server, sink);
	sink.forget();
	// From now on it takes every email and never answers.
	sink.behave('hang_after_data');
});
afterAll(async () => {
	await server.stop();
	await sink.stop();
});

const arrives = (email: string): Promise<void> =>
	expect.poll(() => sink.mails.map(({ recipients }) => recipients.join())).toContain(email);

const verification = (): [string, Promise<Answer>] => {
	const { email } = account;
	return [email, call(server, SEND, { json: { email, type: 'email-verification' } })];
};
const emailChange = (): [string, Promise<Answer>] => {
	const newEmail = newAddress('free');
	const headers = bearer(account.token);
	return [
		newEmail,
		call(server, `${API}/email-otp/request-email-change`, { json: { newEmail }, headers })
	];
};

test.each([
	['email-verification', verification],
	['request-email-change', emailChange]
])(
	'R05 an own send does not wait for the email that %s causes, with one connection left',
	async (_name, request) => {
		const [last, ...owns] = times(CONNECTIONS, () => newAddress('own'));
		const answers: Promise<Answer>[] = [];
		const send = async (email = ''): Promise<void> => {
			answers.push(sendCode(server, email));
			await arrives(email);
		};
		for (const own of owns) await send(own);
		const [target, answer] = request();
		expect((await answer).status).toBe(200);
		await arrives(target);
		await send(last);
		sink.dropConnections();
		await Promise.all(answers);
	}
);
