import { afterEach, expect, test } from 'vitest';
import { rowsOf, steady, userOf } from '../../support/http/account.ts';
import { formsOf, openBrowser, textOf, type Browser } from '../../support/http/browser.ts';
import {
	call,
	freshCode,
	newAddress,
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
const UNKNOWN = 'We can’t find that purchase';

onBothDatabases((fixture) => {
	afterEach(async () => {
		await fixture.server.shiftClock(0);
	});

	/** Records a purchase as a payment webhook does; returns the path of the page that claims it. */
	const buy = (email: string, product = 'A year of Postern'): Promise<string> =>
		purchaseFor(fixture.server, email, product);
	/** An unclaimed purchase, also where its email address has an account. */
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
	/** Opens the page and its data. The email address is in neither, nor in the other answers. */
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

		const response = await browser.submit(first, '?/request');
		expect(response.status).toBe(303);
		expect(response.headers.location).toBe(path);
		const code = await fixture.server.codeFor(email, 1);
		const codePage = await openAndSearch(browser, path, email, response);
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
			expect.stringMatching(/another one in \d+ seconds?/)
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
		expect(textOf(last.text)).toContain('Added to your account');
		expect(textOf(last.text)).toMatch(
			/A year of Postern This purchase now belongs to your account\./
		);
		expect(await whoIs(fixture.server, { cookie: browser.cookies() })).toBe(email);

		// To any other visitor with the link, the page does not show whether it was claimed.
		const other = openBrowser(fixture.server);
		const asBefore = await openAndSearch(other, path, email);
		expect(offers(asBefore)).toEqual(
			offers(await openBrowser(fixture.server).open(await buy(newAddress())))
		);
	});

	test('an unknown, malformed or missing reference is the same plain 404 for pages, data and forms', async () => {
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

	test('a new account gets the purchases made earlier with its address', async () => {
		const email = newAddress('buyer');
		const paths = [await planted(email), await buy(email.toUpperCase(), 'Another thing')];
		const others = await planted(newAddress('buyer'));
		await signIn(fixture.server, email);
		const { id } = await userOf(fixture, email);
		expect(await Promise.all(paths.map(ownerOf))).toEqual([id, id]);
		expect(await ownerOf(others)).toBeNull();
		expect(await rowsOf(fixture, 'purchase', email)).toHaveLength(2);
	});

	test('F10 opening the page sends nothing and changes nothing, however often and in any spelling', async () => {
		const email = newAddress('buyer');
		const path = await planted(email);
		const query = present(path.split('?')[1]);
		// The emails of the cases before leave the outbox by themselves.
		await expect.poll(async () => (await fixture.database.dump())['email_outbox']).toEqual([]);
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
});

onOneServer((fixture) => {
	test('seed:purchase prints the URL of the page that claims it', async () => {
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

	test('seed:purchase refuses an invalid email address, and prints its usage', async () => {
		const none = await runScript(fixture.server, 'seed-purchase', []);
		expect([none.code, none.stdout]).toEqual([1, '']);
		expect(none.stderr).toContain('npm run seed:purchase -- --email');
		const bad = await runScript(fixture.server, 'seed-purchase', ['--email', 'nobody']);
		expect([bad.code, bad.stderr]).toEqual([1, expect.stringContaining('"nobody"')]);
		expect(bad.stderr).not.toMatch(/\n\s+at /);
	});
});
