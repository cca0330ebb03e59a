import { expect, test } from 'vitest';
import { wrong } from '../../support/domain/fixture.ts';
import { bearer, newAddress, SEND, VERIFY } from '../../support/web/sign-in.ts';
import { aSite, type Site } from '../../support/web/site.ts';
import type { Answer } from '../../support/web/visitor.ts';

const BY_CODE = '/api/auth/email-otp/request-email-change';
const CHANGE = '/api/auth/email-otp/change-email';
const NETWORKS = 30;
/** More emails in an hour, and more wrong codes in a minute, than a rule for the whole site allows. */
const SENDS = 820;
const GUESSES = 300;

const outcomeOf = (answer: Answer): string =>
	answer.status === 200 ? '200' : `${answer.status} ${(answer.json() as { code: string }).code}`;

/** Sends from 30 networks, of which every fourth causes no email, and wrong codes from 10 others. */
const attack = async (site: Site): Promise<ReadonlySet<string>> => {
	const seen = new Set<string>();
	const call = async (network: string, turn: number, path: string, json: object) => {
		const client = site.visitor(undefined, `${network}.${1 + (turn % 4)}`);
		seen.add(outcomeOf(await client.call(path, { json })));
	};
	for (let turn = 0; turn < SENDS; turn += 1) {
		const json = { email: `flooded-${turn}@example.com` };
		const type = turn % 4 === 0 ? 'email-verification' : 'sign-in';
		await call(`198.18.${turn % NETWORKS}`, turn, SEND, { ...json, type });
	}
	for (let turn = 0; turn < GUESSES; turn += 1) {
		const email = `flooded-${1 + 4 * Math.floor(turn / 5)}@example.com`;
		const otp = wrong(await site.codeFor(email));
		await call(`198.19.${turn % (GUESSES / 30)}`, turn, VERIFY, { email, otp });
	}
	return seen;
};

test('S03 S04 while others flood sends and guess codes, every answer is the one that the calls of a caller deserve', async () => {
	const site = await aSite();
	const caller = (email = newAddress()) => {
		const client = site.visitor();
		let headers = {};
		const call = async (path: string, json: object): Promise<string> => {
			const answer = await client.call(path, { json, headers });
			const token = answer.headers.get('set-auth-token');
			if (token !== null) headers = bearer(token);
			return outcomeOf(answer);
		};
		const enter = (otp: string) => call(VERIFY, { email, otp });
		return { email, call, enter, send: () => call(SEND, { email }) };
	};
	const [late, older, eager, clumsy] = [caller(), caller(), caller(), caller()];
	await late.send();
	await older.send();
	await older.enter(await site.codeFor(older.email));
	site.clock.advance(20 * 60);
	expect(await attack(site)).toEqual(new Set(['200', '400 INVALID_OTP']));

	expect(await late.enter(await site.codeFor(late.email))).toBe('400 OTP_EXPIRED');
	for (let send = 0; send < 5; send += 1) expect(await eager.send()).toBe('200');
	expect(await eager.send()).toBe('429 TOO_MANY_REQUESTS');
	expect(await eager.enter(await site.codeFor(eager.email))).toBe('200');
	// Now it is a known device, which has sends of its own.
	expect(await eager.send()).toBe('200');
	await clumsy.send();
	const otp = await site.codeFor(clumsy.email);
	for (let guess = 0; guess < 5; guess += 1) {
		expect(await clumsy.enter(wrong(otp))).toBe('400 INVALID_OTP');
	}
	expect(await clumsy.enter(otp)).toBe('403 TOO_MANY_ATTEMPTS');
	const newEmail = newAddress('new');
	expect(await older.call(BY_CODE, { newEmail })).toBe('200');
	expect(await older.call(CHANGE, { newEmail, otp: await site.codeFor(newEmail) })).toBe('200');
});
