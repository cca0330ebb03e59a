import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import {
	API,
	bearer,
	call,
	newAddress,
	SEND,
	sendCode,
	signIn,
	times,
	type Answer
} from '../../support/http/client.ts';
import { onOneServer } from '../../support/http/fixtures.ts';
import { mailingThrough } from '../../support/mail/mail-settings.ts';
import { startSmtpSink, type SmtpSink } from '../../support/mail/smtp-sink.ts';
import { startBuiltServer, type BuiltServer } from '../../support/process/built-server.ts';

/** Connections to the mail server for emails that a request waits for. */
const CONNECTIONS = 5;

onOneServer((fixture) => {
	let sink: SmtpSink;
	let server: BuiltServer;
	beforeAll(async () => {
		sink = await startSmtpSink();
		const { databaseUrl } = fixture.server;
		server = await startBuiltServer({ databaseUrl, env: mailingThrough(sink.port) });
	});
	// It takes every email and never answers.
	beforeEach(() => sink.behave('hang_after_data'));
	afterEach(() => sink.behave('accept'));
	afterAll(async () => {
		await server.stop();
		await sink.stop();
	});

	const arrives = (email: string): Promise<void> =>
		expect.poll(() => sink.mails.map(({ recipients }) => recipients.join())).toContain(email);

	const requests: Record<string, (email: string) => Promise<Answer>> = {
		'email-verification': (email) =>
			call(server, SEND, { json: { email, type: 'email-verification' } }),
		'request-email-change': async (newEmail) => {
			const headers = bearer((await signIn(fixture.server)).token);
			return call(server, `${API}/email-otp/request-email-change`, { json: { newEmail }, headers });
		}
	};
	test.each(Object.keys(requests))(
		'R05 an own send does not wait for the email that %s causes, with one connection left',
		async (name) => {
			const target =
				name === 'email-verification' ? (await signIn(fixture.server)).email : newAddress('free');
			const owns = times(CONNECTIONS, () => newAddress('own'));
			const answers: Promise<Answer>[] = [];
			const send = async (email: string): Promise<void> => {
				answers.push(sendCode(server, email));
				await arrives(email);
			};
			for (const own of owns.slice(1)) await send(own);
			expect((await requests[name]?.(target))?.status).toBe(200);
			await arrives(target);
			for (const own of owns.slice(0, 1)) await send(own);
			sink.dropConnections();
			await Promise.all(answers);
		}
	);
});
