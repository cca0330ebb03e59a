import { describe, expect, test } from 'vitest';
import { messages } from '#lib/messages/messages.ts';
import {
	aSignedInSite,
	demandOf,
	enterCode,
	formAction,
	newAddress,
	requestCode,
	SCRIPT
} from '../../support/web/sign-in.ts';
import { aSite, type Site } from '../../support/web/site.ts';
import type { Visitor } from '../../support/web/visitor.ts';

const PAGE = '/auth/sign-in?redirectTo=%2Fsettings%3Fx%3D1';
const KEPT = 'redirectTo=%2Fsettings%3Fx%3D1';
const { refusals, errors, faults } = messages;

const tooOften = (seconds: number): readonly unknown[] => [
	[refusals.tooOften(seconds)],
	{ seconds, reason: refusals.tooOftenNow, endsOnEdit: false }
];

/** Uses up the limit of this client for an action of the page. */
const exhaust = async (visitor: Visitor, action: string, times: number): Promise<void> => {
	for (let i = 0; i < times; i += 1) {
		expect((await visitor.post(formAction(PAGE, action), { email: '' })).status).not.toBe(429);
	}
};

const pendingIn = async (site: Site, email = newAddress()) => {
	const visitor = site.visitor();
	await requestCode(visitor, email);
	return { visitor, email, code: await site.codeFor(email) };
};

describe('a form that a limit per client refuses', () => {
	test('A16: reads nothing, costs no attempt, and the page says when to try again', async () => {
		const site = await aSite();
		const { visitor, email, code } = await pendingIn(site);
		await exhaust(visitor, 'verify', 30);
		site.clock.advance(7);
		const queries = await site.queriesOf(async () => {
			const refused = await visitor.post(formAction(PAGE, 'verify'), { email, code });
			expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '53']);
			for (const sentence of refusals.tooOften(53).split('. ')) {
				expect(refused.text).toContain(sentence);
			}
			// It opens the page itself, and not the action.
			expect(refused.text).toMatch(
				/<a class="button" href="\/auth\/sign-in\?redirectTo=[^"/]*">Try again</
			);
			expect(refused.text).not.toContain(email);
		});
		expect(queries).toEqual([]);
		site.clock.advance(53);
		expect((await enterCode(site, visitor, email, PAGE)).location).toBe('/settings?x=1');
	});

	test('a form of another site, and another method, gets the same', async () => {
		const visitor = (await aSite()).visitor();
		await exhaust(visitor, 'request', 20);
		const headers = { origin: 'https://evil.example' };
		const forged = await visitor.post(formAction(PAGE, 'request'), {}, headers);
		expect([forged.status, forged.headers.get('retry-after')]).toEqual([429, '60']);
		const put = () => visitor.call(PAGE, { method: 'PUT', headers: { accept: 'text/html' } });
		for (let sent = 20; sent < 100; sent += 1) expect((await put()).status).not.toBe(429);
		expect((await put()).status).toBe(429);
	});

	test('with JavaScript the answer holds the seconds, for the page to count', async () => {
		const site = await aSite();
		const visitor = site.visitor();
		await exhaust(visitor, 'request', 20);
		const refused = await visitor.post(formAction(PAGE, 'request'), {}, SCRIPT);
		expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60']);
		const [[message], wait] = tooOften(60) as [[string], object];
		expect(refused.json()).toEqual({ type: 'error', error: { status: 429, message, wait } });
	});
});

describe('a form that is refused for its email address', () => {
	test('keeps what was typed, the redirect target and the seconds', async () => {
		const site = await aSite();
		const email = newAddress();
		for (let sent = 0; sent < 5; sent += 1) await requestCode(site.visitor(), email);
		const typed = ` ${email.toUpperCase()} `;
		const refused = await site.visitor().post(formAction(PAGE, 'request'), { email: typed });
		expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '900']);
		expect(refused.form).toMatchObject({ form: { data: { email: typed } } });
		expect(refused.data['keptQuery']).toBe(KEPT);
		expect(demandOf(refused)?.wait).toEqual({
			seconds: 900,
			reason: errors.tooManySends(false),
			endsOnEdit: true
		});
	});

	test('the cooldown holds for the address of the pending code, in any spelling, and for no other', async () => {
		const site = await aSite();
		const { visitor, email, code } = await pendingIn(site);
		site.clock.advance(10);
		const again = await visitor.post(formAction(PAGE, 'request'), {
			email: ` ${email.toUpperCase()}`
		});
		expect([again.status, again.location]).toEqual([303, PAGE]);
		expect((await visitor.open(PAGE)).data).toMatchObject({
			step: 'code',
			pendingCode: { email, resendIn: 20 }
		});
		expect(await site.mailsTo(email)).toHaveLength(1);
		const refused = await visitor.post(formAction(PAGE, 'resend'), { email });
		expect([refused.status, demandOf(refused)?.wait?.seconds]).toEqual([429, 20]);
		// Neither another address nor another browser has this cooldown.
		const other = newAddress();
		expect((await requestCode(site.visitor(), email)).status).toBe(303);
		expect(await site.mailsTo(email)).toHaveLength(2);
		await requestCode(visitor, other);
		expect(await site.mailsTo(other)).toHaveLength(1);
		expect((await visitor.post(formAction(PAGE, 'verify'), { email, code })).status).toBe(303);
	});
});

test.each([
	['request', 'throttle.countSend', { email: 'ada@example.com', consent: 'on' }],
	['verify', 'challenges.countAttempt', { email: 'ada@example.com', code: '123456' }]
] as const)(
	'a fault of the store in %s is 503, on a page or in its form',
	async (action, query, fields) => {
		const { site, visitor } = await aSignedInSite();
		site.breakStore(query);
		for (const browser of [visitor, site.visitor()]) {
			await browser.open(PAGE);
			const refused = await browser.post(formAction(PAGE, action), fields);
			expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '2']);
			expect(refused.location).toBeNull();
			const scripted = await browser.post(formAction(PAGE, action), fields, SCRIPT);
			expect(scripted.status).toBe(503);
			expect(scripted.json()).toMatchObject({ message: faults.unavailable });
		}
		expect(site.log.some(({ name }) => name === 'fault')).toBe(true);
	}
);
