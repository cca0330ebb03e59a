import { expect, test } from 'vitest';
import { wrong } from '../../support/domain/fixture.ts';
import {
	aDeletedAccount,
	aSignedInSite,
	newAddress,
	requestCode,
	SEND,
	signIn,
	VERIFY
} from '../../support/web/sign-in.ts';
import { aSite } from '../../support/web/site.ts';

const PAGE = '/auth/sign-in';

test('C01 C03 known, deleted, blocked and unknown addresses get the same answers, over the API and in a form (CVE-2023-39522)', async () => {
	const site = await aSite();
	const [{ email: known }, { email: blocked }] = [await signIn(site), await signIn(site)];
	const { id: userId } = site.userOf(blocked);
	await site.app.actOnAccount({ verb: 'block', userId, allowsOperators: false });
	const deleted = await aDeletedAccount(site);
	site.clock.advance(901);
	const seen: string[] = [];
	for (const email of [known, deleted, blocked, newAddress()]) {
		const [client, visitor] = [site.visitor(), site.visitor()];
		const answers = [await client.call(SEND, { json: { email } })];
		const code = await site.codeFor(email);
		for (let guess = 0; guess < 6; guess += 1) {
			answers.push(await client.call(VERIFY, { json: { email, otp: wrong(code) } }));
		}
		answers.push(await requestCode(visitor, email), await visitor.open(PAGE));
		const typed = wrong(await site.codeFor(email));
		answers.push(await visitor.post(`${PAGE}?/verify`, { email, code: typed }));
		const parts = answers.map(({ status, headers, location, text, setCookies }) => {
			const cookies = setCookies.map((line) => line.split('=')[0]);
			return [status, [...headers.keys()], location, text, cookies];
		});
		const steady = JSON.stringify(parts)
			.replaceAll(email, 'the address')
			.replaceAll(typed, 'wrong');
		seen.push(steady.replaceAll(/[0-9a-f]{32}\.[\w-]{43}/g, 'token'));
	}
	expect(new Set(seen).size).toBe(1);
});

test('C05 no error says whether an address has an account; one about an address depends on its shape', async () => {
	const { site, email: known } = await aSignedInSite();
	for (const email of [known, newAddress(), 'nobody', '', known.replace('@', '@@')]) {
		for (const [path, json] of [
			[SEND, { email }],
			[VERIFY, { email, otp: '000000' }],
			[VERIFY, { email, otp: 'x' }]
		] as const) {
			const { text } = await site.visitor().call(path, { json });
			expect(text).not.toMatch(/user|account|exist|found|taken|in use|registered|known/i);
		}
	}
});

test('CVE-2026-9798: guesses over the API and in a form count against the same five', async () => {
	const site = await aSite();
	const client = site.visitor();
	const email = newAddress();
	await client.call(SEND, { json: { email } });
	const otp = await site.codeFor(email);
	for (let guess = 0; guess < 3; guess += 1) {
		await client.call(VERIFY, { json: { email, otp: wrong(otp) } });
	}
	for (let guess = 0; guess < 2; guess += 1) {
		await site.visitor().post(`${PAGE}?/verify`, { email, code: wrong(otp) });
	}
	expect((await client.call(VERIFY, { json: { email, otp } })).status).toBe(403);
	expect((await site.visitor().post(`${PAGE}?/verify`, { email, code: otp })).status).toBe(400);
});
