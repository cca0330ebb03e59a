import { afterAll, beforeAll, expect, test } from 'vitest';
import {
	bearer,
	call,
	newAddress,
	rounds,
	sendCode,
	verifyCode
} from '../../support/http/client.ts';
import { runScript } from '../../support/process/run-program.ts';
import { mailingThrough } from '../../support/mail/mail-settings.ts';
import { codeMailedTo } from '../../support/mail/mailed.ts';
import { startSmtpSink, type SmtpSink } from '../../support/mail/smtp-sink.ts';
import { startBuiltServer, type BuiltServer } from '../../support/process/built-server.ts';

let sink: SmtpSink;
// Alone on its database: another process would send some of its emails.
let server: BuiltServer;
beforeAll(async () => {
	sink = await startSmtpSink();
	server = await startBuiltServer({ env: mailingThrough(sink.port) });
});
afterAll(async () => {
	await server.stop();
	await sink.stop();
});

test('an email that was given up is logged, listed, and sent again on request', async () => {
	const email = newAddress('rejected');
	const mail = (...args: readonly string[]) =>
		runScript(server, 'mail', args, { env: mailingThrough(sink.port) });
	await sendCode(server, email);
	const signedUp = await verifyCode(server, email, await codeMailedTo(sink, email));
	const { token } = signedUp.json() as { token: string };
	// The welcome follows the answer.
	await expect.poll(() => sink.mails).toHaveLength(2);
	sink.behave('refuse_recipient', email);
	const deleted = await call(server, '/api/auth/delete-user', { json: {}, headers: bearer(token) });
	expect(deleted.status).toBe(200);
	await expect.poll(() => server.output()).toContain('"event":"mail_given_up"');
	expect(server.output()).not.toContain(email);

	const listed = await mail('failed');
	expect([listed.code, listed.stderr]).toEqual([0, '']);
	expect(listed.stdout).toMatch(new RegExp(`account_deleted for ${email}: rejected`));
	sink.behave('accept');
	const retried = await mail('retry');
	expect([retried.code, retried.stdout]).toEqual([0, expect.stringContaining('due again: 1')]);
	await expect.poll(() => sink.mails.map(({ recipients }) => recipients)).toContainEqual([email]);
	expect((await mail('failed')).stdout).toContain('no email was given up');
});

test('mail prints its usage for anything else, and for an id that is none', async () => {
	for (const args of [['retry', 'x'], [], ['send']].slice(0, rounds(1, 3))) {
		const env = { npm_lifecycle_event: 'mail' };
		const [run, ofNpm] = [
			await runScript(server, 'mail', args),
			await runScript(server, 'mail', args, { env })
		];
		expect([run.code, run.stdout]).toEqual([1, '']);
		expect(run.stderr).toContain('say what to do: postern mail failed | retry');
		expect(ofNpm.stderr).toContain('npm run mail -- failed | retry');
	}
});
