import { afterEach, expect, test } from 'vitest';
import { DELETE, enterOnPage, rowsOf, steady, userOf } from '../../support/http/account.ts';
import { formsOf, openBrowser, textOf, type Browser } from '../../support/http/browser.ts';
import {
	bearer,
	call,
	freshCode,
	newAddress,
	pairOf,
	signIn,
	whoIs,
	wrongCode,
	type Answer
} from '../../support/http/client.ts';
import { purchaseFor } from '../../support/http/purchase-for.ts';
import { runScript } from '../../support/http/script.ts';
import { onBothDatabases, onOneServer, present } from '../../support/http/fixtures.ts';
import { SESSION } from '../../support/http/cookie-jar.ts';

const PAGE = '/checkout/success';
const UNKNOWN = 'We can’t find that purchase.';
const DAY = 86_400;

onBothDatabases((fixture) => {
	afterEach(async () => {
		await fixture.server.shiftClock(0);
	});

	/** Buys something as a payment webhook would tell of it; the path of the page to claim it on. */
	const buy = (email: string, product = 'A year of Postern'): Promise<string> =>
		purchaseFor(fixture.server, email, product);
	/** One that nobody has yet, also where its address has an account. */
	const planted = async (email: string): Promise<string> => {
		const reference = Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64url');
		const now = fixture.engine === 'SQLite' ? String(Date.now()) : 'now()';
		await fixture.database.rows(
			`insert into purchase (id, email, user_id, reference, product, status, created_at)
			values ('${crypto.randomUUID()}', '${email}', null, '${reference}', 'A thing', 'paid', ${now})`
		);
		return `${PAGE}?reference=${reference}`;
	};
	const masked = (email: string): string => `${email.slice(0, 1)}•••@example.com`;
	const dataOf = (path: string): string => path.replace(PAGE, `${PAGE}/__data.json`);
	const offers = (page: Answer): readonly (string | undefined)[] =>
		formsOf(page.text, PAGE)
			.map(({ action }) => /\?\/(\w+)/.exec(action)?.[1])
			.filter((name) => name !== undefined);
	const ownerOf = async (path: string): Promise<unknown> => {
		const reference = new URLSearchParams(path.split('?')[1]).get('reference');
		const [row] = await fixture.database.rows(
			`select user_id from purchase where reference = '${reference}'`
		);
		return present(row)['user_id'];
	};
	/** Opens the page with its data; nowhere in either is the address, nor in what is looked at beside. */
	const openAndSearch = async (
		browser: Browser,
		path: string,
		email: string,
		...beside: readonly Answer[]
	): Promise<Answer> => {
		const data = await browser.open(dataOf(path));
		const page = await browser.open(path);
		expect([page.status, data.status]).toEqual([200, 200]);
		for (const { text, headers } of [page, data, ...beside]) {
			const local = present(email.split('@')[0]);
			expect(text + JSON.stringify(headers)).not.toContain(email);
			expect(text + decodeURIComponent(JSON.stringify(headers))).not.toContain(local);
		}
		expect(page.headers['cache-control']).toContain('no-store');
		return page;
	};

	test('a guest buyer claims the purchase by a code, becomes a new user and never sees the whole address', async () => {
		const email = newAddress('buyer');
		const path = await buy(email);
		const browser = openBrowser(fixture.server);
		const first = await openAndSearch(browser, path, email);
		expect(textOf(first.text)).toContain(`It was bought with the email address ${masked(email)}.`);
		expect(textOf(first.text)).toContain('A year of Postern');
		expect(offers(first)).toEqual(['request']);

		const asked = await browser.submit(first, '?/request');
		expect(asked.status).toBe(303);
		expect(asked.headers.location).toBe(path);
		const code = await fixture.server.codeFor(email, 1);
		const codePage = await openAndSearch(browser, path, email, asked);
		expect(textOf(codePage.text)).toContain(`We sent a code to ${masked(email)}.`);
		expect([...offers(codePage)].sort()).toEqual(['resend', 'verify']);
		expect(codePage.text.match(/<input[^>]*name="code"/g)).toHaveLength(1);
		expect(codePage.text).toMatch(/autocomplete="one-time-code"/);

		const wrong = await browser.submit(codePage, '?/verify', { code: wrongCode(code) });
		expect([wrong.status, textOf(wrong.text).includes('You have 4 attempts left.')]).toEqual([
			400,
			true
		]);
		const short = await browser.submit(codePage, '?/verify', { code: '123' });
		const empty = await browser.submit(codePage, '?/verify', { code: '' });
		expect([short.status, empty.status]).toEqual([400, 400]);
		const soon = await browser.submit(codePage, '?/resend');
		expect([soon.status, textOf(soon.text)]).toEqual([
			429,
			expect.stringMatching(/another code in \d+ seconds?/)
		]);
		expect(Number(soon.headers['retry-after'])).toBeLessThanOrEqual(30);
		await openAndSearch(browser, path, email, wrong, short, empty, soon);
		expect(await rowsOf(fixture, 'user', email)).toEqual([]);
		expect(await ownerOf(path)).toBeNull();

		const done = await browser.submit(codePage, '?/verify', { code });
		expect([done.status, done.headers.location]).toEqual([303, path]);
		expect(browser.cookie(SESSION)).not.toBeNull();
		expect(await ownerOf(path)).toBe((await userOf(fixture, email))['id']);
		const last = await browser.open(path);
		expect(textOf(last.text)).toContain('It is yours');
		expect(textOf(last.text)).toMatch(
			/A year of Postern The purchase now belongs to your account\./
		);
		expect(await whoIs(fixture.server, { cookie: browser.cookies() })).toBe(email);

		// To anybody else who has the link nothing tells whether it was claimed.
		const other = openBrowser(fixture.server);
		const asBefore = await openAndSearch(other, path, email);
		expect(offers(asBefore)).toEqual(
			offers(await openBrowser(fixture.server).open(await buy(newAddress())))
		);
	});

	test('sent again after the pause the newest code counts and says so', async () => {
		const email = newAddress('buyer');
		const path = await planted(email);
		const browser = openBrowser(fixture.server);
		await browser.submit(await browser.open(path), '?/request');
		const first = await fixture.server.codeFor(email, 1);
		await fixture.server.shiftClock(31);
		const resent = await browser.submit(await browser.open(path), '?/resend');
		expect(resent.status).toBe(303);
		const second = await fixture.server.codeFor(email, 2);
		const page = await openAndSearch(browser, present(resent.headers.location), email, resent);
		expect(textOf(page.text)).toContain('A new code is on its way');
		if (second !== first) {
			expect((await browser.submit(page, '?/verify', { code: first })).status).toBe(400);
		}
		expect((await browser.submit(page, '?/verify', { code: second })).status).toBe(303);
		expect(await ownerOf(path)).not.toBeNull();
	});

	test('in every failing state, answers to script included, the whole address is nowhere', async () => {
		const email = newAddress('buyer');
		const path = await planted(email);
		const browser = openBrowser(fixture.server);
		const page = await browser.open(path);
		const query = present(path.split('?')[1]);
		const scripted = (
			action: string,
			fields: Readonly<Record<string, string>>
		): Promise<Answer> => {
			const csrf = present(formsOf(page.text, path)[0]).fields['csrf'] ?? '';
			return browser.api(`${PAGE}?/${action}&${query}`, {
				method: 'POST',
				body: new URLSearchParams({ csrf, ...fields }).toString(),
				headers: {
					...{ accept: 'application/json', 'x-sveltekit-action': 'true' },
					'content-type': 'application/x-www-form-urlencoded'
				}
			});
		};
		const early = await scripted('verify', { code: '123456', __superform_id: 'code' });
		const asked = await scripted('request', { __superform_id: 'send' });
		const code = await fixture.server.codeFor(email, 1);
		const wrongs: Answer[] = [];
		for (let guess = 1; guess <= 6; guess += 1) {
			const fields = { code: wrongCode(code, guess), __superform_id: 'code' };
			wrongs.push(await scripted('verify', fields));
		}
		const soon = await scripted('resend', { __superform_id: 'resend' });
		const exhausted = await openAndSearch(browser, path, email, early, asked, ...wrongs, soon);
		expect(textOf(exhausted.text)).toContain('Too many wrong attempts');
		// Sent too often: the page says so without saying to whom.
		await fixture.server.shiftClock(31);
		for (let sent = 1; sent < 5; sent += 1) await freshCode(fixture.server, email);
		const refused = await scripted('resend', { __superform_id: 'resend' });
		const plain = await browser.submit(await browser.open(path), '?/resend');
		expect([plain.status, textOf(plain.text).includes('Too many codes were sent')]).toEqual([
			429,
			true
		]);
		await fixture.server.shiftClock(700);
		const expired = await openAndSearch(browser, path, email, refused, plain);
		expect(expired.status).toBe(200);
		expect(browser.cookie(SESSION)).toBeNull();
		expect(await rowsOf(fixture, 'user', email)).toEqual([]);
	});

	test('a reference that is unknown, of no shape or missing is one plain 404, to pages, data and forms alike', async () => {
		const known = await planted(newAddress('buyer'));
		const reference = present(new URLSearchParams(known.split('?')[1]).get('reference'));
		const flipped = (reference.startsWith('A') ? 'B' : 'A') + reference.slice(1);
		const queries = [
			...['', '?reference=', '?reference', `?reference=${flipped}`, '?reference=x', '?ref=x'],
			...[`?reference=${reference}x`, `?reference=%00${reference}`, `?reference=${'A'.repeat(43)}`],
			...[`?reference=${'x'.repeat(3000)}`, `?reference=%27%20or%201%3D1`, '?reference=../../app'],
			`?reference=&reference=${reference}`
		];
		const before = await fixture.database.dump();
		const browser = openBrowser(fixture.server);
		await browser.open('/auth/sign-in');
		const pages = new Set<string>();
		const datas = new Set<string>();
		for (const query of queries) {
			const page = await browser.open(PAGE + query);
			expect([page.status, textOf(page.text).includes(UNKNOWN), query]).toEqual([404, true, query]);
			pages.add(steady(page.text));
			const data = await browser.open(`${PAGE}/__data.json${query}`);
			expect(data.text).toContain(UNKNOWN);
			datas.add(steady(data.text));
			for (const action of ['request', 'resend', 'verify', 'claim']) {
				const posted = await browser.post(`${PAGE}?/${action}${query.replace('?', '&')}`, {
					email: newAddress('victim'),
					code: '123456',
					__superform_id: action
				});
				expect([posted.status, textOf(posted.text).includes(UNKNOWN), query, action]).toEqual([
					...[404, true, query, action]
				]);
			}
		}
		expect([pages.size, datas.size]).toEqual([1, 1]);
		expect([...pages].join()).not.toMatch(/@|•|reference=/);
		expect(await fixture.database.dump()).toEqual(before);
	});

	test('an address that is posted along changes nothing: the code goes to the buyer and is checked for the buyer', async () => {
		const [email, other] = [newAddress('buyer'), newAddress('other')];
		const path = await planted(email);
		const browser = openBrowser(fixture.server);
		const asked = await browser.submit(await browser.open(path), '?/request', { email: other });
		expect(asked.status).toBe(303);
		const code = await fixture.server.codeFor(email, 1);
		expect(fixture.server.codesSentTo(other)).toBe(0);
		const page = await browser.open(path);
		const done = await browser.submit(page, '?/verify', { code, email: other });
		expect(done.status).toBe(303);
		expect(await rowsOf(fixture, 'user', other)).toEqual([]);
		expect(await ownerOf(path)).toBe((await userOf(fixture, email))['id']);
	});

	test('the code of another purchase or of signing in elsewhere claims nothing here', async () => {
		const [mine, theirs] = [newAddress('buyer'), newAddress('buyer')];
		const [myPath, theirPath] = [await planted(mine), await planted(theirs)];
		const browser = openBrowser(fixture.server);
		await browser.submit(await browser.open(myPath), '?/request');
		const code = await fixture.server.codeFor(mine, 1);
		await browser.submit(await browser.open(theirPath), '?/request');
		const other = await fixture.server.codeFor(theirs, 1);
		if (code !== other) {
			const page = await browser.open(theirPath);
			expect((await browser.submit(page, '?/verify', { code })).status).toBe(400);
			expect(await ownerOf(theirPath)).toBeNull();
		}
		// Another browser has no use for the right one.
		const stranger = openBrowser(fixture.server);
		const fields = { code: other, __superform_id: 'code' };
		const query = present(theirPath.split('?')[1]);
		expect((await stranger.post(`${PAGE}?/verify&${query}`, fields)).status).toBe(400);
		expect(await ownerOf(theirPath)).toBeNull();
	});

	test('a purchase of somebody who has an account is theirs at once; signed in they see it, others are offered a code as for any', async () => {
		const buyer = await signIn(fixture.server);
		const path = await buy(buyer.email);
		const { id } = await userOf(fixture, buyer.email);
		expect(await ownerOf(path)).toBe(id);
		const browser = openBrowser(fixture.server);
		for (const line of buyer.answer.setCookies) browser.plant(...pairOf(line));
		expect(textOf((await browser.open(path)).text)).toContain('It is yours');

		const other = openBrowser(fixture.server);
		const someone = newAddress('someone');
		await enterOnPage(fixture.server, other, someone);
		const shown = await openAndSearch(other, path, buyer.email);
		const unclaimed = await other.open(await buy(newAddress()));
		expect(offers(shown)).toEqual(offers(unclaimed));
		expect(offers(shown)).not.toEqual([]);
		// Claiming it all the same changes nothing.
		const query = present(path.split('?')[1]);
		const tried = await other.post(`${PAGE}?/claim&${query}`, {});
		expect(tried.status).toBe(303);
		expect(await ownerOf(path)).toBe(id);
		const stranger = openBrowser(fixture.server);
		const refused = await stranger.post(`${PAGE}?/claim&${query}`, {});
		expect([refused.status, refused.headers.location]).toEqual([
			303,
			expect.stringMatching(/^\/auth\/sign-in\?redirectTo=/)
		]);
		expect(await ownerOf(path)).toBe(id);
	});

	test('an existing account whose purchase is nobody’s yet claims it by a code, or directly when signed in', async () => {
		const buyer = await signIn(fixture.server);
		const { id } = await userOf(fixture, buyer.email);
		const byCode = await planted(buyer.email);
		const guest = openBrowser(fixture.server);
		await guest.submit(await openAndSearch(guest, byCode, buyer.email), '?/request');
		const code = await fixture.server.codeFor(buyer.email, 2);
		const done = await guest.submit(await guest.open(byCode), '?/verify', { code });
		expect([done.status, done.headers.location]).toEqual([303, byCode]);
		expect(await ownerOf(byCode)).toBe(id);
		expect(textOf((await guest.open(byCode)).text)).toContain('It is yours');

		const direct = await planted(buyer.email);
		const page = await guest.open(direct);
		expect(offers(page)).toEqual(expect.arrayContaining(['claim']));
		expect(textOf(page.text)).toContain(
			'You’re signed in with the email address it was bought with.'
		);
		const claimed = await guest.submit(page, '?/claim');
		expect([claimed.status, claimed.headers.location]).toEqual([303, direct]);
		expect(await ownerOf(direct)).toBe(id);
		expect(textOf((await guest.open(direct)).text)).toMatch(/A thing It belongs to/);

		// Somebody signed in with another address is asked for a code of the buyer's.
		const third = await planted(buyer.email);
		const other = openBrowser(fixture.server);
		await enterOnPage(fixture.server, other, newAddress('someone'));
		expect(offers(await openAndSearch(other, third, buyer.email))).toContain('request');
		await other.post(`${PAGE}?/claim&${present(third.split('?')[1])}`, {});
		expect(await ownerOf(third)).toBeNull();
	});

	test('a buyer whose account is deleted is led to restore it, and claims afterwards', async () => {
		const buyer = await signIn(fixture.server);
		const { id } = await userOf(fixture, buyer.email);
		await call(fixture.server, DELETE, { json: {}, headers: bearer(buyer.token) });
		const path = await planted(buyer.email);
		const browser = openBrowser(fixture.server);
		await browser.submit(await openAndSearch(browser, path, buyer.email), '?/request');
		const code = await fixture.server.codeFor(buyer.email, 2);
		const led = await browser.submit(await browser.open(path), '?/verify', { code });
		expect([led.status, led.headers.location]).toEqual([303, '/auth/account-deleted']);
		expect(await ownerOf(path)).toBeNull();
		await browser.submit(await browser.open('/auth/account-deleted'), '?/restore');
		await browser.submit(await browser.open(path), '?/claim');
		expect(await ownerOf(path)).toBe(id);
	});

	test('whoever signs up as usual gets what was bought with their address before', async () => {
		const email = newAddress('buyer');
		const paths = [await planted(email), await buy(email.toUpperCase(), 'Another thing')];
		const others = await planted(newAddress('buyer'));
		await signIn(fixture.server, email);
		const { id } = await userOf(fixture, email);
		expect(await Promise.all(paths.map(ownerOf))).toEqual([id, id]);
		expect(await ownerOf(others)).toBeNull();
		expect(await rowsOf(fixture, 'purchase', email)).toHaveLength(2);
	});

	test('F10 opening the page sends nothing and changes nothing, however often and in whatever spelling', async () => {
		const email = newAddress('buyer');
		const path = await planted(email);
		const query = present(path.split('?')[1]);
		const before = await fixture.database.dump();
		for (const method of ['GET', 'HEAD', 'OPTIONS']) {
			for (const spelled of [path, `${PAGE}?/request&${query}`, `${dataOf(path)}`]) {
				for (let time = 0; time < 3; time += 1) {
					expect((await call(fixture.server, spelled, { method })).status).toBeLessThan(400);
				}
			}
		}
		expect(await fixture.database.dump()).toEqual(before);
		await freshCode(fixture.server, newAddress());
		expect(fixture.server.codesSentTo(email)).toBe(0);
	});

	test('F01 every form of the page needs the token of its browser, and its own origin', async () => {
		const email = newAddress('buyer');
		const path = await planted(email);
		const query = present(path.split('?')[1]);
		const browser = openBrowser(fixture.server);
		await browser.submit(await browser.open(path), '?/request');
		const code = await fixture.server.codeFor(email, 1);
		for (const action of ['request', 'resend', 'verify', 'claim']) {
			const fields = { code, __superform_id: action === 'verify' ? 'code' : action };
			for (const [csrf, origin] of [
				['', fixture.server.address],
				['x', fixture.server.address],
				['', 'https://evil.example']
			] as const) {
				const answer = await call(fixture.server, `${PAGE}?/${action}&${query}`, {
					method: 'POST',
					body: new URLSearchParams({ ...fields, csrf }).toString(),
					headers: {
						...{ cookie: browser.cookies(), accept: 'text/html', origin },
						'content-type': 'application/x-www-form-urlencoded'
					}
				});
				expect([answer.status, answer.setCookies, action]).toEqual([403, [], action]);
				expect(answer.text).not.toContain(email);
			}
		}
		expect(await ownerOf(path)).toBeNull();
		await freshCode(fixture.server, newAddress());
		expect(fixture.server.codesSentTo(email)).toBe(1);
		expect((await browser.submit(await browser.open(path), '?/verify', { code })).status).toBe(303);
	});

	test('a purchase page works as long as the purchase is known, and its code as long as any', async () => {
		const email = newAddress('buyer');
		const path = await planted(email);
		await fixture.server.shiftClock(200 * DAY);
		const browser = openBrowser(fixture.server);
		await browser.submit(await openAndSearch(browser, path, email), '?/request');
		const code = await fixture.server.codeFor(email, 1);
		await fixture.server.shiftClock(200 * DAY + 601);
		const late = await browser.submit(await browser.open(path), '?/verify', { code });
		expect([late.status, textOf(late.text).includes('expired')]).toEqual([400, true]);
		await openAndSearch(browser, path, email, late);
	});
});

onOneServer((fixture) => {
	test('seed:purchase prints the page on which it is claimed', async () => {
		const email = newAddress('buyer');
		const run = await runScript(fixture.server, 'seed-purchase', [
			...['--email', email],
			...['--product', 'A year of Postern']
		]);
		expect([run.code, run.stderr]).toEqual([0, '']);
		const url = new URL(present(/https?:\S+/.exec(run.stdout)?.[0]));
		expect(url.origin).toBe(fixture.server.address);
		const page = await openBrowser(fixture.server).open(url.pathname + url.search);
		expect([page.status, textOf(page.text).includes('A year of Postern')]).toEqual([200, true]);
	});

	test('seed:purchase refuses what is no address, and says what it needs', async () => {
		const none = await runScript(fixture.server, 'seed-purchase', []);
		expect([none.code, none.stdout]).toEqual([1, '']);
		expect(none.stderr).toContain('npm run seed:purchase -- --email');
		const bad = await runScript(fixture.server, 'seed-purchase', ['--email', 'nobody']);
		expect([bad.code, bad.stderr]).toEqual([1, expect.stringContaining('"nobody"')]);
		expect(bad.stderr).not.toMatch(/\n\s+at /);
	});
});
