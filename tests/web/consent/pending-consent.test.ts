import { describe, expect, test } from 'vitest';
import { readConsentMark, withConsentMark } from '#lib/consent-mark.ts';
import { wrong } from '../../support/domain/fixture.ts';
import {
	aDeletedAccount,
	enterCode,
	formAction,
	newAddress,
	purchasePage,
	requestCode,
	SCRIPT,
	SEND,
	SESSION,
	VERIFY
} from '../../support/web/sign-in.ts';
import { aSite, type Site } from '../../support/web/site.ts';
import type { Answer, Visitor } from '../../support/web/visitor.ts';

const PENDING = 'postern_consent';
const OUT = '/api/auth/sign-out';
const MINUTES = 60;

/** Whether an account has agreed to marketing. Null if there is no account. */
const consentOf = ({ tables }: Site, email: string): boolean | null => {
	const user = [...tables.users.values()].find((row) => row.email === email);
	return user === undefined ? null : (tables.userData.get(user.id)?.marketingOptIn ?? false);
};

/** Ticks the box on a sign-in page and requests a code there. */
const tick = async (visitor: Visitor, email: string, entry: string): Promise<Answer> => {
	await visitor.open(entry);
	const response = await requestCode(visitor, email, entry, { consent: 'on' });
	expect(response.status).toBe(303);
	return response;
};

const enter = async (site: Site, visitor: Visitor, email: string, path: string): Promise<void> => {
	await visitor.open(path);
	const done = await enterCode(site, visitor, email, path);
	expect([done.status, done.location]).toEqual([303, '/app']);
	expect(visitor.cookie(PENDING)).toBeNull();
};

/** Goes through the whole flow with the box as the page shows it. */
const signInOn = async (
	site: Site,
	visitor: Visitor,
	email: string,
	path: string,
	fields: Readonly<Record<string, string>> | null = null
): Promise<void> => {
	const { data } = await visitor.open(`${path}?step=email`);
	const { consent } = (data['emailForm'] as { data: { consent: boolean } }).data;
	const shown = consent ? { consent: String(data['pendingConsent']) } : {};
	expect((await requestCode(visitor, email, path, fields ?? shown)).status).toBe(303);
	expect((await enterCode(site, visitor, email, path)).location).toBe('/app');
};

describe.each([
	['with two entries', '/auth/sign-up', '/auth/sign-in', {}],
	['with one entry', '/auth/login', '/auth/login', { AUTH_ENTRY: 'single' }]
] as const)('%s', (_, entry, other, settings) => {
	test('R08 A is one email address in any spelling', async () => {
		const site = await aSite(settings);
		const a = newAddress('a');
		const visitor = site.visitor();
		await tick(visitor, ` ${a.toUpperCase()} `, entry);
		const code = await site.codeFor(a);
		const email = a.replace('a', 'A');
		expect((await visitor.post(`${entry}?/verify`, { email, code })).status).toBe(303);
		expect(consentOf(site, a)).toBe(true);
	});

	const ways: Record<string, (site: Site, visitor: Visitor, b: string) => Promise<unknown>> = {
		'on the other sign-in page': (site, visitor, b) => signInOn(site, visitor, b, other),
		'by “another address” on the same page': (site, visitor, b) =>
			signInOn(site, visitor, b, entry, {}),
		'by “another address”, with the box unchanged': (site, visitor, b) =>
			signInOn(site, visitor, b, entry),
		'over the API in the same browser': async (site, visitor, b) => {
			await visitor.call(SEND, { json: { email: b } });
			const otp = await site.codeFor(b);
			expect((await visitor.api(VERIFY, { json: { email: b, otp } })).status).toBe(200);
		},
		'by the code form of a checkout': async (site, visitor, b) => {
			const page = await purchasePage(site, b);
			await requestCode(visitor, b, page);
			await enterCode(site, visitor, b, page);
		}
	};
	test.each(Object.keys(ways))(
		'R08 ticked for A, signed in as B %s: nothing for either, also later',
		async (way) => {
			const site = await aSite(settings);
			const [a, b] = [newAddress('a'), newAddress('b')];
			const visitor = site.visitor();
			await tick(visitor, a, entry);
			expect(visitor.cookie(PENDING)).not.toBeNull();
			await ways[way]?.(site, visitor, b);
			expect([visitor.cookie(SESSION) === null, visitor.cookie(PENDING)]).toEqual([false, null]);
			await visitor.post('/auth/sign-out');
			site.clock.advance(31);
			await signInOn(site, visitor, a, entry);
			expect([consentOf(site, a), consentOf(site, b)]).toEqual([false, false]);
		}
	);

	test('R08 the tick applies to the email address that “did you mean” posts with it', async () => {
		const site = await aSite(settings);
		const [typo, meant] = ['ada@gmial.com', 'ada@gmail.com'] as const;
		const visitor = site.visitor();
		await tick(visitor, typo, entry);
		const { data } = await visitor.open(entry);
		const consent = String(data['pendingConsent']);
		expect((await requestCode(visitor, meant, entry, { consent })).status).toBe(303);
		// A tick with the id of another consent, which was rendered for another address, is not
		// accepted.
		expect(visitor.cookie(PENDING)).toBeNull();
		await requestCode(visitor, meant, entry, { consent: 'on' });
		await enter(site, visitor, meant, entry);
		expect(consentOf(site, meant)).toBe(true);
	});

	test.each([
		[15 * MINUTES - 1, true],
		[15 * MINUTES, false]
	])('R08 %d seconds after the tick it is stored: %s', async (seconds, given) => {
		const site = await aSite(settings);
		const a = newAddress('a');
		const visitor = site.visitor();
		await tick(visitor, a, entry);
		const value = visitor.cookie(PENDING);
		site.clock.advance(9 * MINUTES);
		// Another code does not change the tick.
		expect((await visitor.post(`${entry}?/resend`, { email: a })).status).toBe(303);
		site.clock.advance(seconds - 9 * MINUTES);
		visitor.setCookie(PENDING, value);
		await enter(site, visitor, a, entry);
		expect(consentOf(site, a)).toBe(given);
	});

	test.each(['form', 'api'])('R08 a sign-out by %s in this browser discards it', async (way) => {
		const site = await aSite(settings);
		const a = newAddress('a');
		const visitor = site.visitor();
		await tick(visitor, a, entry);
		await (way === 'form' ? visitor.post('/auth/sign-out') : visitor.api(OUT, { method: 'POST' }));
		expect(visitor.cookie(PENDING)).toBeNull();
		await enter(site, visitor, a, entry);
		expect(consentOf(site, a)).toBe(false);
	});

	test('R08 nothing is stored when the code led to a deleted account, nor after it was restored', async () => {
		const site = await aSite(settings);
		const email = await aDeletedAccount(site);
		const visitor = site.visitor();
		await tick(visitor, email, entry);
		const led = await enterCode(site, visitor, email, entry);
		expect([led.location, visitor.cookie(PENDING)]).toEqual(['/auth/account-deleted', null]);
		const restored = await visitor.post('/auth/account-deleted?/restore');
		expect(restored.location).toBe('/app');
		await visitor.post('/auth/sign-out');
		site.clock.advance(31);
		await signInOn(site, visitor, email, entry);
		expect(consentOf(site, email)).toBe(false);
	});

	test('R08 the latest request of the browser counts: without the tick it discards that of another tab', async () => {
		const site = await aSite(settings);
		const a = newAddress('a');
		const visitor = site.visitor();
		await tick(visitor, a, entry);
		expect((await requestCode(visitor, a, entry)).status).toBe(303);
		await enter(site, visitor, a, entry);
		expect(consentOf(site, a)).toBe(false);
	});

	test('R08 a cookie of another browser or email address, changed or made up, has no effect', async () => {
		const site = await aSite(settings);
		const [a, b] = [newAddress('a'), newAddress('b')];
		const attacker = site.visitor();
		await tick(attacker, a, entry);
		const stolen = attacker.cookie(PENDING) ?? '';
		const [kind, id, signature] = stolen.split('.') as [string, string, string];
		for (const value of [
			stolen,
			`${kind}.${Number(id) + 1}.${signature}`,
			`server.${id}.`,
			'1',
			'true',
			'%00',
			`page.${id}.${signature}`,
			`${stolen}.x`,
			'x'.repeat(3000)
		]) {
			const email = value === stolen ? b : newAddress('f');
			const visitor = site.visitor();
			await visitor.open(entry);
			await requestCode(visitor, email, entry);
			visitor.setCookie(PENDING, value);
			await enter(site, visitor, email, entry);
			expect([value, consentOf(site, email)]).toEqual([value, false]);
		}
		// The same address in another browser.
		const thief = site.visitor();
		await requestCode(thief, a, entry);
		thief.setCookie(PENDING, stolen);
		await enter(site, thief, a, entry);
		expect(consentOf(site, a)).toBe(false);
	});

	test('R08 a wrong code keeps it, a wrong code for another email address does not', async () => {
		const site = await aSite(settings);
		const [a, b] = [newAddress('a'), newAddress('b')];
		const visitor = site.visitor();
		await tick(visitor, a, entry);
		const code = wrong(await site.codeFor(a));
		await visitor.post(`${entry}?/verify`, { email: a, code });
		expect(visitor.cookie(PENDING)).not.toBeNull();
		await visitor.post(`${entry}?/verify`, { email: b, code });
		expect(visitor.cookie(PENDING)).toBeNull();
	});
});

describe('with two entries', () => {
	test('R08 ticked for A, signed in as A on the other sign-in page: nothing', async () => {
		const site = await aSite();
		const a = newAddress('a');
		const visitor = site.visitor();
		await tick(visitor, a, '/auth/sign-up');
		expect((await enterCode(site, visitor, a, '/auth/sign-in')).status).toBe(303);
		expect(consentOf(site, a)).toBe(false);
	});

	test.each(['request', 'resend', 'verify'])(
		'R08 a code that is used at the checkout discards it: %s',
		async (action) => {
			const site = await aSite();
			const email = newAddress('a');
			const page = await purchasePage(site, email);
			const visitor = site.visitor();
			await tick(visitor, email, '/auth/sign-up');
			// Another code can be sent now.
			site.clock.advance(31);
			await visitor.open(page);
			expect(visitor.cookie(PENDING)).not.toBeNull();
			const code = wrong(await site.codeFor(email));
			await visitor.post(formAction(page, action), { code });
			expect(visitor.cookie(PENDING)).toBeNull();
		}
	);

	test('R08 opening the other sign-in page discards it, opening its own does not', async () => {
		const site = await aSite();
		const visitor = site.visitor();
		await tick(visitor, newAddress('a'), '/auth/sign-up');
		await visitor.open('/auth/sign-up');
		expect(visitor.cookie(PENDING)).not.toBeNull();
		await visitor.open('/auth/sign-in');
		expect(visitor.cookie(PENDING)).toBeNull();
	});

	const between: Record<
		string,
		[(site: Site, visitor: Visitor, a: string) => Promise<unknown>, 'may be given' | 'nothing']
	> = {
		nothing: [async () => {}, 'may be given'],
		'a code for another email address': [
			(_, visitor) => visitor.post('/auth/sign-up?/request', { email: newAddress('b') }, SCRIPT),
			'nothing'
		],
		'the other sign-in page': [
			(_, visitor, email) => visitor.post('/auth/sign-in?/verify', { email, code: 'x' }, SCRIPT),
			'nothing'
		],
		'a sign-out': [(_, visitor) => visitor.api(OUT, { method: 'POST' }), 'nothing'],
		'another sign-in and sign-out': [
			async (site, visitor) => {
				const email = newAddress('b');
				await visitor.call(SEND, { json: { email } });
				await visitor.api(VERIFY, { json: { email, otp: await site.codeFor(email) } });
				await visitor.api(OUT, { method: 'POST' });
			},
			'nothing'
		],
		'15 minutes': [
			async (site, visitor, email) => {
				const value = visitor.cookie(PENDING);
				site.clock.advance(9 * MINUTES);
				await visitor.post('/auth/sign-up?/resend', { email }, SCRIPT);
				site.clock.advance(6 * MINUTES);
				visitor.setCookie(PENDING, value);
			},
			'nothing'
		]
	};
	test.each(Object.keys(between))(
		'R08 a page script learns whether it may send the tick: after %s',
		async (what) => {
			const site = await aSite();
			const a = newAddress('a');
			const visitor = site.visitor();
			await visitor.open('/auth/sign-up');
			const response = await visitor.post('/auth/sign-up?/request', { email: a }, SCRIPT);
			expect(response.json()).toMatchObject({ type: 'redirect', location: '/auth/sign-up' });
			const id = visitor.cookie(PENDING)?.split('.')[1];
			const [happens, outcome] = between[what] ?? [];
			await happens?.(site, visitor, a);
			const code = await site.codeFor(a);
			const done = await visitor.post('/auth/sign-up?/verify', { email: a, code }, SCRIPT);
			// The page makes the call: the server stores nothing here.
			expect(consentOf(site, a)).toBe(false);
			expect(done.json()).toMatchObject({
				type: 'redirect',
				location: outcome === 'nothing' ? '/app#consent-' : `/app#consent-${id}`
			});
		}
	);

	test('R08 another user’s link cannot tell the page that it may send a tick', () => {
		for (const planted of ['/app#consent-1', '/app#consent-1#consent-2', '/app#x']) {
			expect(readConsentMark(withConsentMark(planted))).toEqual([planted, '']);
			expect(readConsentMark(withConsentMark(planted, '3'))).toEqual([planted, '3']);
		}
		expect(readConsentMark('/auth/account-deleted')).toEqual(['/auth/account-deleted', '']);
	});

	test('R08 a page script sends nothing for a deleted account', async () => {
		const site = await aSite();
		const email = await aDeletedAccount(site);
		const visitor = site.visitor();
		await visitor.open('/auth/sign-up');
		await visitor.post('/auth/sign-up?/request', { email }, SCRIPT);
		const code = await site.codeFor(email);
		const led = await visitor.post('/auth/sign-up?/verify', { email, code }, SCRIPT);
		expect(led.json()).toMatchObject({ location: '/auth/account-deleted' });
		expect(visitor.cookie(PENDING)).toBeNull();
	});
});
