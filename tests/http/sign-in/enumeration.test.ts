import { expect, test } from 'vitest';
import {
	call,
	freshCode,
	newAddress,
	sendCode,
	signIn,
	tally,
	times,
	verifyCode,
	wrongCode,
	SEND,
	shown
} from '../../support/http/client.ts';
import { onBothInLongForm } from '../../support/http/fixtures.ts';

onBothInLongForm((fixture) => {
	test('C05 no answer reveals whether a user or address exists, for any input', async () => {
		const known = newAddress('known');
		await signIn(fixture.server, known);
		const emails = [known, newAddress('unknown'), 'nobody', '', `${known}x`];
		const answers = await Promise.all(
			emails.flatMap((email) => [
				sendCode(fixture.server, email),
				verifyCode(fixture.server, email, '000000'),
				verifyCode(fixture.server, email, 'x')
			])
		);
		for (const { text } of answers) {
			expect(text).not.toMatch(/user|account|exist|found|taken|in use|registered|known/i);
		}
	});

	test('C05 errors about an address depend on its shape alone', async () => {
		const known = newAddress('known');
		await signIn(fixture.server, known);
		const misshapen = (email: string): string => email.replace('@', '@@');
		const [taken, free] = await Promise.all(
			[known, newAddress('unknown')].map((email) => sendCode(fixture.server, misshapen(email)))
		);
		expect(taken && shown(taken)).toEqual(free && shown(free));
	});

	test('C06 no user row exists before the right code, and one does after it', async () => {
		const email = newAddress('fresh');
		const rows = async (): Promise<number> =>
			((await fixture.database.dump())['user'] ?? []).filter((row) => row['email'] === email)
				.length;
		const code = await freshCode(fixture.server, email);
		expect(await rows()).toBe(0);
		await verifyCode(fixture.server, email, wrongCode(code));
		expect(await rows()).toBe(0);
		await verifyCode(fixture.server, email, code);
		expect(await rows()).toBe(1);
	});

	test.each([
		[
			'tagged email addresses',
			'get five emails, and then none',
			(tag: number) => `tagged+${tag}`,
			{ 200: 5, 429: 95 }
		],
		[
			'email addresses',
			'stop at the limit of the client',
			(tag: number) => `person${tag}`,
			{ 200: 20, 429: 80 }
		]
	] as const)('B06 R16 a hundred %s from one client %s', async (_, __, local, expected) => {
		const from = { 'x-forwarded-for': `192.0.2.${60 + expected[200]}` };
		const answers = await Promise.all(
			times(100, (tag) =>
				call(fixture.server, SEND, { json: { email: `${local(tag)}@example.com` }, headers: from })
			)
		);
		expect(tally(answers.map(({ status }) => status))).toEqual(expected);
	});

	test('N11 a new installation has no account and no working code', async () => {
		const { user = [], session = [] } = await fixture.database.dump();
		expect(
			[...user, ...session].filter((row) => /admin|root|test/i.test(String(row['email'])))
		).toEqual([]);
		const addresses = ['admin', 'root', 'test', 'postmaster'].map((name) => `${name}@example.com`);
		const codes = ['000000', '123456', '111111', '999999'];
		const answers = await Promise.all(
			addresses.flatMap((email) => codes.map((code) => verifyCode(fixture.server, email, code)))
		);
		expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([400]));
	});
});
