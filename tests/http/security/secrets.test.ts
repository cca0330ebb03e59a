import PostalMime from 'postal-mime';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import {
	startBuiltServer,
	TEST_SECRET,
	type BuiltServer
} from '../../support/process/built-server.ts';
import { openBrowser, tokenOf } from '../../support/http/browser.ts';
import {
	bearer,
	call,
	newAddress,
	sendCode,
	verifyCode,
	wrongCode,
	ME,
	OUT,
	SEND,
	type Answer
} from '../../support/http/client.ts';
import { openDatabase } from '../../support/http/database.ts';
import { present } from '../../support/http/fixtures.ts';
import { mailingThrough } from '../../support/mail/mail-settings.ts';
import { startSmtpSink, type SmtpSink } from '../../support/mail/smtp-sink.ts';

interface Logged {
	readonly time: string;
	readonly event: string;
	readonly requestId?: string;
	readonly client?: string;
	readonly [field: string]: unknown;
}

/** The lines a server wrote after its start; each must be JSON by itself. */
const logOf = (output: string): readonly Logged[] =>
	output
		.split('\n')
		.filter((line) => line !== '' && !line.startsWith('[postern] '))
		.map((line) => JSON.parse(line) as Logged);

const named = (log: readonly Logged[], event: string): readonly Logged[] =>
	log.filter((line) => line.event === event);

describe('the log of a full run, with a mail server', () => {
	const KEY = 'mail-key-q8Wd3Rt6Yu1Zx5';
	let sink: SmtpSink;
	let server: BuiltServer;
	const secrets: string[] = [TEST_SECRET, KEY];
	const emails: string[] = [];
	const codes: string[] = [];

	beforeAll(async () => {
		sink = await startSmtpSink();
		const env = { ...mailingThrough(sink.port), EMAIL_API_KEY: KEY };
		server = await startBuiltServer({ env });
	});
	afterAll(async () => {
		await server.stop();
		await sink.stop();
	});

	const address = (): string => {
		const email = newAddress('whole-address');
		emails.push(email);
		return email;
	};
	const mailedCode = async (email: string): Promise<string> => {
		const mail = sink.mails.findLast(({ recipients }) => recipients.includes(email));
		const { text } = await PostalMime.parse(present(mail).raw);
		const code = present(/\b(\d{6})\b/.exec(text ?? '')?.[1]);
		codes.push(code);
		return code;
	};
	const keep = ({ setCookies, text, headers }: Answer): void => {
		secrets.push(
			...setCookies.map((line) => line.split(';', 1)[0]?.split('=')[1] ?? ''),
			tokenOf(text) ?? '',
			String(headers['set-auth-token'] ?? '')
		);
	};
	/** What an attacker sends to forge a log line. */
	const FORGED = '{"event":"forged","outcome":"ok"}';

	beforeAll(async () => {
		// A program: wrong, right and used codes, bad email addresses, a session and its end.
		const email = address();
		keep(await sendCode(server, email));
		const code = await mailedCode(email);
		codes.push(wrongCode(code));
		await verifyCode(server, email, wrongCode(code));
		const done = await verifyCode(server, email, code, { 'user-agent': `x ${FORGED}` });
		keep(done);
		const { token } = done.json() as { token: string };
		await verifyCode(server, email, code);
		await call(server, `${ME}?token=${token}`, { headers: bearer(token) });
		await call(server, '/api/hello', { headers: bearer(token) });
		await call(server, `/app/${token}`, { headers: bearer(token) });
		await call(server, OUT, { json: {}, headers: bearer(token) });
		for (let send = 0; send < 5; send += 1) await sendCode(server, email);

		// A person with a browser: both forms, errors, sign-out.
		const person = address();
		const browser = openBrowser(server);
		const page = await browser.open('/auth/sign-in');
		keep(page);
		keep(await browser.submit(page, '?/request', { email: person }));
		const theirs = await mailedCode(person);
		const codePage = await browser.open('/auth/sign-in');
		keep(codePage);
		keep(await browser.submit(codePage, '?/verify', { code: wrongCode(theirs) }));
		codes.push(wrongCode(theirs));
		keep(await browser.submit(codePage, '?/verify', { code: theirs }));
		keep(await browser.open('/app'));
		await browser.post('/auth/sign-out', { csrf: 'not-a-token' });
		keep(await browser.open('/auth/sign-out'));
		keep(await browser.post('/auth/sign-out', {}));

		// Refusals of every kind.
		await sendCode(server, address(), { origin: 'https://evil.example' });
		await sendCode(server, address(), { origin: 'null' });
		const client = { 'x-forwarded-for': '203.0.113.9' };
		for (let hit = 0; hit < 22; hit += 1) {
			await call(server, SEND, { json: { email: 'nobody' }, headers: client });
		}
		sink.behave('refuse_recipient');
		await sendCode(server, address());
		sink.behave('accept');

		// Injections in email addresses, headers and paths.
		for (const hostile of [
			`ada@evil.example\n${FORGED}`,
			`a@\u001b[31m${FORGED}`,
			`a@b\u2028${FORGED}`,
			`a@\u009b31mevil.example`,
			`\u009bx@evil.example`,
			`a@evil.example"}\n${FORGED}`,
			`${'x'.repeat(400)}@${'y'.repeat(400)}`,
			`\u202eada@\u202eelpmaxe.live`
		]) {
			await sendCode(server, hostile);
			await verifyCode(server, hostile, '123456');
			await openBrowser(server).post('/auth/sign-in?/request', {
				email: hostile,
				__superform_id: 'email'
			});
		}
		for (const forwarded of [FORGED, `203.0.113.7, ${FORGED}`, '"\\u001b[31m', 'x'.repeat(4000)]) {
			await call(server, ME, {
				headers: { 'x-forwarded-for': forwarded, 'user-agent': `\t${FORGED}` }
			});
		}
		for (const path of [`/${encodeURIComponent(`\n${FORGED}`)}`, '/%0a%1b[31m', '/auth/%0d%0a']) {
			await call(server, path);
		}
		await call(server, ME, { headers: { 'x-request-id': FORGED } });

		// The database stops in the middle.
		const database = openDatabase(server.databaseUrl);
		await database.rows('alter table auth_throttle rename to auth_throttle_gone');
		await sendCode(server, address());
		const last = await openBrowser(server).post('/auth/sign-in?/request', {
			email: address(),
			__superform_id: 'email'
		});
		await database.rows('alter table auth_throttle_gone rename to auth_throttle');
		await database.close();
		// An answer may arrive before its log lines.
		const id = String(last.headers['x-request-id']);
		await vi.waitFor(() => expect(server.output().includes(`${id}","client`)).toBe(true), 20_000);
	});

	test('N05 every line is one JSON event, and no request adds a line or controls a terminal', () => {
		const log = logOf(server.output());
		expect(log.length).toBeGreaterThan(80);
		expect(log.filter(({ event }) => typeof event !== 'string')).toEqual([]);
		expect(named(log, 'forged')).toEqual([]);
		const moving = /[^\n\P{C}]|[\u2028\u2029]/gu;
		expect(server.output().match(moving)?.map(encodeURIComponent) ?? []).toEqual([]);
		for (const line of server.output().split('\n')) expect(line.length).toBeLessThan(4096);
	});

	test('N05 it contains no whole email address, code, token, code key, form token, cookie or secret', () => {
		const output = server.output();
		const held = [...new Set(secrets)].filter((secret) => secret.length >= 16);
		// Two sessions with their caches, code keys, form tokens, the secret and the key.
		expect(held.length).toBeGreaterThan(8);
		for (const secret of held) {
			expect(output).not.toContain(secret);
			expect(output).not.toContain(decodeURIComponent(secret));
		}
		expect(emails.length).toBeGreaterThan(5);
		for (const email of emails) {
			expect(output).not.toContain(email);
			expect(output).not.toContain(email.split('@', 1)[0]);
		}
		// Six digits may occur in an id or a time by chance, so the test searches the other fields
		// only.
		const lines = logOf(output).map(
			({ time: _, requestId: _id, user: _user, session: _session, ...rest }) => JSON.stringify(rest)
		);
		expect(codes.length).toBeGreaterThan(3);
		for (const code of codes) {
			expect(lines.filter((line) => line.includes(code) && !line.includes(`${code}:`))).toEqual([]);
		}
	});

	test('N06 security events are recorded: who, from where, when, with which outcome', () => {
		const log = logOf(server.output());
		const outcomes = (event: string): readonly unknown[] => [
			...new Set(named(log, event).map(({ outcome }) => outcome))
		];
		expect(outcomes('code_requested')).toEqual(
			expect.arrayContaining(['ok', 'invalid_email', 'too_many_sends', 'address_refused'])
		);
		expect(outcomes('code_entered')).toEqual(expect.arrayContaining(['ok', 'invalid_code']));
		for (const event of [
			'code_requested',
			'code_entered',
			'signed_out',
			'rate_limited',
			'origin_refused',
			'form_token_refused',
			'mail_failed',
			'fault',
			'request'
		]) {
			expect([event, named(log, event).length > 0]).toEqual([event, true]);
		}
		for (const line of log) {
			expect(line.time).toBe(new Date(line.time).toISOString());
			if (['mail_sent', 'mail_failed', 'fault'].includes(line.event)) continue;
			expect(line.requestId).toMatch(/^[0-9a-f-]{36}$/);
			// A network, because an address names a person.
			expect(line.client).toMatch(/^[0-9a-f:.]+\/(?:24|48)$/);
		}
		const masked = named(log, 'code_requested').filter(({ outcome }) => outcome === 'ok');
		for (const { email } of masked) expect(email).toBe('w***@example.com');
		expect(named(log, 'rate_limited')).toEqual(
			expect.arrayContaining([
				expect.objectContaining({
					client: '203.0.113.0/24',
					route: SEND,
					retryAfter: expect.any(Number)
				})
			])
		);
		for (const line of named(log, 'signed_out')) {
			expect(line['session'] ?? line['user']).toMatch(/^[0-9a-f-]{36}$/);
		}
	});

	test('N06 the x-request-id of an answer finds its log lines, and a client cannot choose it', async () => {
		const answers = [
			await call(server, ME, { headers: { 'x-request-id': 'mine' } }),
			await sendCode(server, address(), { 'x-request-id': 'mine' }),
			await call(server, '/auth/sign-in'),
			await call(server, '/auth/nope'),
			await sendCode(server, address(), { origin: 'https://evil.example' })
		];
		const ids = answers.map(({ headers }) => String(headers['x-request-id']));
		expect(new Set(ids).size).toBe(ids.length);
		const requests = (): readonly unknown[] =>
			named(logOf(server.output()), 'request').map(({ requestId }) => requestId);
		await expect.poll(() => ids.filter((id) => !requests().includes(id))).toEqual([]);
		const log = logOf(server.output());
		for (const [at, id] of ids.entries()) {
			const lines = log.filter(({ requestId }) => requestId === id);
			expect(named(lines, 'request')).toEqual([
				expect.objectContaining({ status: answers[at]?.status })
			]);
		}
		expect(server.output()).not.toContain('"mine"');
	});
});
