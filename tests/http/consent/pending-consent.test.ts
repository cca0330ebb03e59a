import { afterEach, describe, expect, test } from 'vitest';
import { readConsentMark, withConsentMark } from '#lib/consent-mark.ts';
import { askOnPage, consentOf, DELETE, enterOnPage } from '../../support/http/account.ts';
import { openBrowser, type Browser } from '../../support/http/browser.ts';
import {
	bearer,
	call,
	freshCode,
	newAddress,
	OUT,
	sendCode,
	signIn,
	VERIFY,
	wrongCode,
	type Answer
} from '../../support/http/client.ts';
import {
	onBothDatabases,
	onOneServer,
	present,
	type Fixture
} from '../../support/http/fixtures.ts';
import { purchaseFor } from '../../support/http/purchase-for.ts';

const PENDING = 'postern_consent';
const TICKED = { consent: 'on' };
const MINUTES = 60;

/** What a page with script does: it keeps the tick itself and calls the consent endpoint if it may. */
const SCRIPT = { accept: 'application/json', 'x-sveltekit-action': 'true' };

const cases = (entry: '/auth/sign-up' | '/auth/login') => (fixture: Fixture) => {
	const other = entry === '/auth/sign-up' ? '/auth/sign-in' : entry;

	afterEach(() => fixture.server.shiftClock(0));

	const tick = async (browser: Browser, email: string): Promise<Answer> =>
		askOnPage(browser, email, entry, TICKED);
	/** Enters the latest code of this email address on a page of the flow. */
	const enter = async (browser: Browser, email: string, path: string = entry): Promise<Answer> => {
		const code = await fixture.server.codeFor(email, fixture.server.codesSentTo(email));
		const done = await browser.submit(await browser.open(path), '?/verify', { code });
		expect([done.status, done.headers.location]).toEqual([303, '/app']);
		expect(browser.cookie(PENDING)).toBeNull();
		return done;
	};
	const consents = (...emails: string[]): Promise<unknown[]> =>
		Promise.all(emails.map(async (email) => consentOf(fixture, email)));

	test('R08 ticked for A and signed in as A it is given once, to A', async () => {
		const [a, b] = [newAddress('a'), newAddress('b')];
		const browser = openBrowser(fixture.server);
		await tick(browser, a);
		await enter(browser, a);
		await browser.post('/auth/sign-out', {});
		await enterOnPage(fixture.server, browser, b, entry);
		expect(await consents(a, b)).toEqual([true, false]);
	});

	test('R08 A is one email address, however it is spelled', async () => {
		const a = newAddress('a');
		const browser = openBrowser(fixture.server);
		await tick(browser, ` ${a.toUpperCase()} `);
		const code = await fixture.server.codeFor(a);
		const page = await browser.open(entry);
		const spelled = { code, email: a.replace('a', 'A') };
		expect((await browser.submit(page, '?/verify', spelled)).status).toBe(303);
		expect(await consents(a)).toEqual([true]);
	});

	const ways: Record<string, (browser: Browser, b: string) => Promise<unknown>> = {
		'on the other entry page': (browser, b) =>
			enterOnPage(fixture.server, browser, b, `${other}?step=email`),
		'by “another address” on the same page': (browser, b) =>
			enterOnPage(fixture.server, browser, b, `${entry}?step=email`, { consent: '' }),
		'by “another address”, leaving the box as it came': (browser, b) =>
			enterOnPage(fixture.server, browser, b, `${entry}?step=email`),
		'over the API in the same browser': async (browser, b) => {
			await sendCode(fixture.server, b);
			const otp = await fixture.server.codeFor(b);
			expect((await browser.api(VERIFY, { json: { email: b, otp } })).status).toBe(200);
		},
		'by the code form of a checkout': async (browser, b) => {
			const path = await purchaseFor(fixture.server, b, 'A book');
			await browser.submit(await browser.open(path), '?/request');
			const code = await fixture.server.codeFor(b);
			await browser.submit(await browser.open(path), '?/verify', { code });
		}
	};
	test.each(Object.keys(ways))(
		'R08 ticked for A, signed in as B %s: nothing for either, also later',
		async (way) => {
			const [a, b] = [newAddress('a'), newAddress('b')];
			const browser = openBrowser(fixture.server);
			await tick(browser, a);
			expect(browser.cookie(PENDING)).not.toBeNull();
			await ways[way]?.(browser, b);
			expect(browser.cookie('postern_session')).not.toBeNull();
			expect(browser.cookie(PENDING)).toBeNull();
			await browser.post('/auth/sign-out', {});
			await enterOnPage(fixture.server, browser, a, `${entry}?step=email`);
			expect(await consents(a, b)).toEqual([false, false]);
		}
	);

	test('R08 the tick belongs to the email address that “did you mean” re-posts it with', async () => {
		const [slip, meant] = [newAddress('s'), newAddress('m')].map((email, i) =>
			email.replace('example.com', i === 0 ? 'gmial.com' : 'gmail.com')
		) as [string, string];
		const browser = openBrowser(fixture.server);
		const page = await tick(browser, slip);
		expect((await browser.submit(page, '?/request', { email: meant })).status).toBe(303);
		await enter(browser, meant);
		expect(await consents(meant)).toEqual([true]);
	});

	test('R08 it lives for 15 minutes from the tick', async () => {
		for (const [seconds, given] of [
			[15 * MINUTES - 5, true],
			[15 * MINUTES + 1, false]
		] as const) {
			const a = newAddress('a');
			const browser = openBrowser(fixture.server);
			const page = await tick(browser, a);
			const value = present(browser.cookie(PENDING));
			await fixture.server.shiftClock(9 * MINUTES);
			// Another code is no other tick.
			expect((await browser.submit(page, '?/resend')).status).toBe(303);
			await fixture.server.codeFor(a, 2);
			await fixture.server.shiftClock(seconds);
			browser.plant(PENDING, value);
			await enter(browser, a);
			expect([seconds, await consents(a)]).toEqual([seconds, [given]]);
			await fixture.server.shiftClock(0);
		}
	});

	test('R08 a sign-out in this browser discards it, by form and over the API', async () => {
		for (const way of ['form', 'api']) {
			const a = newAddress('a');
			const browser = openBrowser(fixture.server);
			await tick(browser, a);
			if (way === 'form') await browser.post('/auth/sign-out', {});
			else await browser.api(OUT, { json: {} });
			expect([way, browser.cookie(PENDING)]).toEqual([way, null]);
			await enter(browser, a);
			expect([way, await consents(a)]).toEqual([way, [false]]);
		}
	});

	test('R08 nothing is given when the code led to a deleted account, nor after it was restored', async () => {
		const { email, token } = await signIn(fixture.server);
		await call(fixture.server, DELETE, { json: {}, headers: bearer(token) });
		const browser = openBrowser(fixture.server);
		await tick(browser, email);
		const code = await fixture.server.codeFor(email, 2);
		const led = await browser.submit(await browser.open(entry), '?/verify', { code });
		expect(led.headers.location).toBe('/auth/account-deleted');
		expect(browser.cookie(PENDING)).toBeNull();
		const page = await browser.open('/auth/account-deleted');
		expect((await browser.submit(page, '?/restore')).headers.location).toBe('/app?restored');
		await browser.post('/auth/sign-out', {});
		await enterOnPage(fixture.server, browser, email, entry);
		expect(await consents(email)).toEqual([false]);
	});

	test('R08 the latest request of the browser counts: without the tick it discards that of another tab', async () => {
		const a = newAddress('a');
		const browser = openBrowser(fixture.server);
		await tick(browser, a);
		const fields = { email: a, __superform_id: 'email' };
		expect((await browser.post(`${entry}?/request`, fields)).status).toBe(303);
		await fixture.server.codeFor(a, 2);
		await enter(browser, a);
		expect(await consents(a)).toEqual([false]);
	});

	test('R08 a cookie of another browser, another email address, changed or made up gives nothing', async () => {
		const [a, b] = [newAddress('a'), newAddress('b')];
		const attacker = openBrowser(fixture.server);
		await tick(attacker, a);
		const stolen = present(attacker.cookie(PENDING));
		const [kind, id, signature] = stolen.split('.') as [string, string, string];
		const forged = [
			stolen,
			`${kind}.${Number(id) + 1}.${signature}`,
			`server.${id}.`,
			'1',
			'true',
			'%00'
		];
		for (const value of [...forged, `page.${id}.${signature}`, `${stolen}.x`, 'x'.repeat(3000)]) {
			const email = value === stolen ? b : newAddress('f');
			const browser = openBrowser(fixture.server);
			await askOnPage(browser, email, entry);
			browser.plant(PENDING, value);
			await enter(browser, email);
			expect([value, await consents(email)]).toEqual([value, [false]]);
		}
	});

	test('R08 a wrong code keeps it, a wrong code for another email address does not', async () => {
		const [a, b] = [newAddress('a'), newAddress('b')];
		const browser = openBrowser(fixture.server);
		const page = await tick(browser, a);
		const wrong = { code: wrongCode(await fixture.server.codeFor(a)) };
		await browser.submit(page, '?/verify', wrong);
		expect(browser.cookie(PENDING)).not.toBeNull();
		await browser.submit(page, '?/verify', { ...wrong, email: b });
		expect(browser.cookie(PENDING)).toBeNull();
	});
};

describe('with two entries', () => {
	onBothDatabases((fixture) => {
		cases('/auth/sign-up')(fixture);

		test('R08 ticked for A, signed in as A on the other entry page: nothing', async () => {
			const a = newAddress('a');
			const browser = openBrowser(fixture.server);
			await askOnPage(browser, a, '/auth/sign-up', TICKED);
			const code = await fixture.server.codeFor(a);
			const done = await browser.submit(await browser.open('/auth/sign-in'), '?/verify', { code });
			expect(done.status).toBe(303);
			expect(await consentOf(fixture, a)).toBe(false);
		});

		test('R08 opening the other entry page discards it, with and without script', async () => {
			for (const path of ['/auth/sign-in', '/auth/sign-in/__data.json']) {
				const browser = openBrowser(fixture.server);
				await askOnPage(browser, newAddress('a'), '/auth/sign-up', TICKED);
				await browser.open('/auth/sign-up/__data.json');
				expect(browser.cookie(PENDING)).not.toBeNull();
				await browser.open(path);
				expect([path, browser.cookie(PENDING)]).toEqual([path, null]);
			}
		});

		/** Where the page is led by the right code, after what happened in between. */
		const ledTo = async (between: (browser: Browser, a: string) => Promise<unknown>) => {
			const a = newAddress('a');
			const browser = openBrowser(fixture.server);
			await browser.open('/auth/sign-up');
			const asked = await browser.post(
				'/auth/sign-up?/request',
				{ email: a, __superform_id: 'email' },
				SCRIPT
			);
			expect(asked.json()).toMatchObject({ type: 'redirect', location: '/auth/sign-up' });
			const id = present(browser.cookie(PENDING)).split('.')[1];
			await between(browser, a);
			const code = await fixture.server.codeFor(a, fixture.server.codesSentTo(a));
			const done = await browser.post('/auth/sign-up?/verify', { email: a, code }, SCRIPT);
			// The page makes the call: nothing is given here, whatever was ticked.
			if ((await consentOf(fixture, a)) !== null) expect(await consentOf(fixture, a)).toBe(false);
			const { location } = done.json() as { location: string };
			if (location === '/app#consent-') return 'nothing to give';
			return location === `/app#consent-${id}` ? 'may be given' : location;
		};
		const between: Record<string, [(browser: Browser, a: string) => Promise<unknown>, string]> = {
			nothing: [async () => {}, 'may be given'],
			'a code for another email address': [
				(browser) => browser.post('/auth/sign-up?/request', { email: newAddress('b') }, SCRIPT),
				'nothing to give'
			],
			'the other entry page': [
				(browser, a) => browser.post('/auth/sign-in?/verify', { email: a, code: 'x' }, SCRIPT),
				'nothing to give'
			],
			'a sign-out': [(browser) => browser.api(OUT, { json: {} }), 'nothing to give'],
			'another sign-in and sign-out': [
				async (browser) => {
					const b = newAddress('b');
					const otp = await freshCode(fixture.server, b);
					await browser.api(VERIFY, { json: { email: b, otp } });
					await browser.api(OUT, { json: {} });
				},
				'nothing to give'
			],
			'15 minutes': [
				async (browser, a) => {
					await fixture.server.shiftClock(9 * MINUTES);
					await browser.post('/auth/sign-up?/resend', { email: a }, SCRIPT);
					await fixture.server.codeFor(a, 2);
					const value = present(browser.cookie(PENDING));
					await fixture.server.shiftClock(15 * MINUTES + 1);
					browser.plant(PENDING, value);
				},
				'nothing to give'
			]
		};
		test.each(Object.keys(between))(
			'R08 a page with script learns whether it may give the tick: after %s',
			async (what) => {
				const [happens, answer] = present(between[what]);
				expect(await ledTo(happens)).toBe(answer);
			}
		);

		test('R08 a link of somebody else cannot tell the page that it may give a tick', () => {
			for (const planted of ['/app#consent-1', '/app#consent-1#consent-2', '/app#x']) {
				expect(readConsentMark(withConsentMark(planted))).toEqual([planted, '']);
				expect(readConsentMark(withConsentMark(planted, '3'))).toEqual([planted, '3']);
			}
			expect(readConsentMark('/auth/account-deleted')).toEqual(['/auth/account-deleted', '']);
		});

		test('R08 a page with script gives nothing for a deleted account', async () => {
			const deleted = await signIn(fixture.server);
			await call(fixture.server, DELETE, { json: {}, headers: bearer(deleted.token) });
			const browser = openBrowser(fixture.server);
			await browser.open('/auth/sign-up');
			const { email } = deleted;
			await browser.post('/auth/sign-up?/request', { email, __superform_id: 'email' }, SCRIPT);
			const code = await fixture.server.codeFor(email, 2);
			const led = await browser.post('/auth/sign-up?/verify', { email, code }, SCRIPT);
			expect(led.json()).toMatchObject({ location: '/auth/account-deleted' });
			expect(browser.cookie(PENDING)).toBeNull();
		});
	});
});

describe('with one entry', () => {
	onOneServer(cases('/auth/login'), { AUTH_ENTRY: 'single' });
});
