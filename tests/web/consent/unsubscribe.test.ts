import { describe, expect, test } from 'vitest';
import { messages } from '#lib/messages/messages.ts';
import { signIn } from '../../support/web/sign-in.ts';
import { aSite, type Site } from '../../support/web/site.ts';
import type { ApiCall } from '../../support/web/visitor.ts';

const UNKNOWN = 'A'.repeat(43);
const GRACE = 30 * 86_400;
const FORM = 'application/x-www-form-urlencoded';
/** As email apps send it (RFC 8058, 3.2). */
const ONE_CLICK: ApiCall = {
	method: 'POST',
	body: 'List-Unsubscribe=One-Click',
	headers: { 'content-type': FORM }
};
const multipart = (value = 'One-Click'): ApiCall => ({
	method: 'POST',
	body: `--b\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\n${value}\r\n--b--\r\n`,
	headers: { 'content-type': 'multipart/form-data; boundary=b' }
});

/** Somebody who consented, with both links of an email. */
const aSubscriber = async (site: Site) => {
	const { email, visitor, token } = await signIn(site);
	await visitor.post('/settings?/grantConsent');
	const user = site.userOf(email);
	const page = new URL((await site.app.unsubscribe.url(user)) ?? '').pathname;
	const headers = await site.app.unsubscribe.headers(user);
	const call = new URL(headers?.['List-Unsubscribe'].slice(1, -1) ?? '').pathname;
	const isGiven = () => site.tables.userData.get(user.id)?.marketingOptIn;
	return { email, visitor, user, page, call, token, isGiven };
};
const recordsIn = ({ tables }: Site) => [...tables.consentRecords.values()];

describe('the links for an email', () => {
	test('are a page and the two headers of RFC 8058, on the site’s own origin', async () => {
		const site = await aSite();
		const { user, email } = await aSubscriber(site);
		const url = await site.app.unsubscribe.url(user);
		expect(url).toMatch(/^https:\/\/app\.example\.com\/unsubscribe\/[\w-]{43}$/);
		const token = url?.split('/').at(-1) ?? '';
		expect(await site.app.unsubscribe.headers(user)).toEqual({
			'List-Unsubscribe': `<https://app.example.com/api/unsubscribe/${token}>`,
			'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click'
		});
		// The store has no token, and the token has no account.
		const stored = JSON.stringify([...site.tables.unsubscribeLinks]);
		expect([stored.includes(token), url?.includes(user.id), url?.includes(email)]).toEqual([
			false,
			false,
			false
		]);
	});
});

describe('the page', () => {
	test('K01 opening it changes nothing, asks for one press and names nobody', async () => {
		const site = await aSite();
		const { page, email, user, isGiven } = await aSubscriber(site);
		const before = recordsIn(site);
		const queries = await site.queriesOf(async () => {
			for (let time = 0; time < 3; time += 1) {
				const opened = await site.visitor().open(page);
				expect([opened.status, opened.data['state']]).toEqual([200, 'asks']);
				expect(opened.headers.get('referrer-policy')).toBe('same-origin');
				expect(opened.text).not.toContain(email);
				expect(opened.text).not.toContain(user.id);
			}
		});
		expect(new Set(queries)).toEqual(new Set(['unsubscribeLinks.find']));
		expect([recordsIn(site), isGiven()]).toEqual([before, true]);
	});

	test('one press without a session withdraws, is recorded, and can be repeated', async () => {
		const site = await aSite();
		const { page, email, isGiven } = await aSubscriber(site);
		const person = site.visitor();
		await person.open(page);
		for (let time = 0; time < 2; time += 1) {
			const pressed = await person.post(`${page}?/unsubscribe`);
			expect([pressed.status, pressed.location, isGiven()]).toEqual([303, page, false]);
			expect((await person.open(page)).data['state']).toBe('done');
		}
		expect(recordsIn(site)).toMatchObject([
			{ action: 'granted' },
			{
				action: 'withdrawn',
				source: 'page',
				place: '/unsubscribe/[token]',
				email,
				wording: { version: messages.unsubscribe.version }
			}
		]);
	});

	test('C01 of an unknown, incomplete or purged link are alike', async () => {
		const site = await aSite();
		const gone = await aSubscriber(site);
		await site.app.deleteAccount({ user: gone.user, source: { ipAddress: '', userAgent: '' } });
		site.clock.advance(GRACE);
		await site.app.purgeAccounts();
		const answers = [];
		for (const page of [gone.page, `/unsubscribe/${UNKNOWN}`, gone.page.slice(0, -1)]) {
			const person = site.visitor();
			const { status, data } = await person.open(page);
			const pressed = await person.post(`${page}?/unsubscribe`);
			answers.push([status, data['state'], pressed.status]);
		}
		expect(answers).toEqual(answers.map(() => [200, 'unknown', 400]));
	});
});

describe('the one-click request', () => {
	test.each([
		['a form', ONE_CLICK],
		['a multipart form', multipart()],
		[
			'a form with a charset',
			{ ...ONE_CLICK, headers: { 'content-type': `${FORM}; charset=UTF-8` } }
		]
	])(
		'as %s, without cookie, form token or Origin, withdraws and can be repeated',
		async (_, sent) => {
			const site = await aSite();
			const { call, email, isGiven } = await aSubscriber(site);
			for (let time = 0; time < 2; time += 1) {
				const answer = await site.visitor().call(call, sent);
				expect([answer.status, answer.json(), isGiven()]).toEqual([200, { success: true }, false]);
				expect(answer.setCookies).toEqual([]);
			}
			expect(recordsIn(site)).toMatchObject([
				{ action: 'granted' },
				{
					action: 'withdrawn',
					source: 'app',
					place: '/api/unsubscribe/[token]',
					email,
					wording: null
				}
			]);
		}
	);

	test('F03 a session cookie with it has no effect and needs no Origin', async () => {
		const site = await aSite();
		const [ada, bob] = [await aSubscriber(site), await aSubscriber(site)];
		const cookie = [...bob.visitor.cookies].map(([name, { value }]) => `${name}=${value}`);
		const headers = { ...ONE_CLICK.headers, cookie: cookie.join('; ') };
		const answer = await site.visitor().call(ada.call, { ...ONE_CLICK, headers });
		expect([answer.status, ada.isGiven(), bob.isGiven()]).toEqual([200, false, true]);
	});

	test.each([
		['no body', { method: 'POST' }, 415],
		['JSON', { json: { 'List-Unsubscribe': 'One-Click' } }, 415],
		['an empty form', { ...ONE_CLICK, body: '' }, 400],
		['another field', { ...ONE_CLICK, body: 'unsubscribe=1' }, 400],
		['another value', { ...ONE_CLICK, body: 'List-Unsubscribe=No' }, 400],
		['a broken multipart form', { ...multipart(), body: 'x' }, 400],
		[
			'too many fields',
			{ ...ONE_CLICK, body: `List-Unsubscribe=One-Click${'&a=1'.repeat(100)}` },
			413
		]
	] as const)('with %s is refused and changes nothing', async (_, sent, status) => {
		const site = await aSite();
		const { call, isGiven } = await aSubscriber(site);
		const answer = await site.visitor().call(call, sent);
		expect([answer.status, isGiven()]).toEqual([status, true]);
	});

	test.each([UNKNOWN, 'x', '%00', '..%2f', 'A'.repeat(5000)])(
		'C01 for the unknown token %s gets one answer',
		async (token) => {
			const site = await aSite();
			const answer = await site.visitor().call(`/api/unsubscribe/${token}`, ONE_CLICK);
			expect([answer.status, answer.json()]).toEqual([
				400,
				{ message: 'Invalid token', code: 'INVALID_TOKEN' }
			]);
		}
	);

	test('a text that cannot be a token never reaches the store', async () => {
		const site = await aSite();
		const queries = await site.queriesOf(async () => {
			await site.visitor().open('/unsubscribe/x');
			await site.visitor().call('/api/unsubscribe/x', ONE_CLICK);
		});
		expect(queries).toEqual([]);
	});

	test('F10 GET and HEAD only lead to the page', async () => {
		const site = await aSite();
		const { call, page, isGiven } = await aSubscriber(site);
		for (const method of ['GET', 'HEAD']) {
			const answer = await site.visitor().call(call, { method });
			expect([answer.status, answer.location]).toEqual([302, page]);
			expect(answer.headers.get('referrer-policy')).toBe('same-origin');
		}
		expect(isGiven()).toBe(true);
	});
});

test('N05 no log line has a token or an email address of a link', async () => {
	const site = await aSite();
	const { page, call, email } = await aSubscriber(site);
	const before = site.log.length;
	await site.visitor().open(page);
	await site.visitor().post(`${page}?/unsubscribe`);
	await site.visitor().call(call, ONE_CLICK);
	const lines = site.log.slice(before);
	const text = JSON.stringify(lines);
	expect([text.includes(page.split('/').at(-1) ?? ''), text.includes(email)]).toEqual([
		false,
		false
	]);
	expect(lines.filter(({ name }) => name === 'unsubscribed')).toMatchObject([
		{ outcome: 'ok', via: '/(public)/unsubscribe/[token]' },
		{ outcome: 'ok', via: '/api/unsubscribe/[token]' }
	]);
});
