import { describe, expect, test } from 'vitest';
import type { UserId } from '#lib/domain/ids.ts';
import { messages } from '#lib/messages/messages.ts';
import { wrong } from '../support/domain/fixture.ts';
import {
	aSignedInSite,
	bearer,
	ME,
	newAddress,
	SCRIPT,
	SESSION,
	shownEmail,
	signIn
} from '../support/web/sign-in.ts';
import { aSite, type Site } from '../support/web/site.ts';
import type { Answer, Visitor } from '../support/web/visitor.ts';

const PAGE = '/checkout/success';

/** Records a purchase as a payment webhook does. Returns the query of its page. */
const buy = async (site: Site, email: string, product = 'A book'): Promise<string> => {
	const recorded = await site.app.recordPurchase({ email, product });
	if (!recorded.ok) throw new Error('no purchase');
	return `reference=${recorded.value.reference}`;
};

/** A purchase that nobody has claimed, although its email address may have an account. */
const unclaimed = async (site: Site, email: string): Promise<string> => {
	const query = await buy(site, email, 'A thing');
	giveTo(site, query, null);
	return query;
};

const giveTo = ({ tables }: Site, query: string, userId: UserId | null): void => {
	for (const [id, row] of tables.purchases) {
		if (query.endsWith(row.reference)) tables.purchases.set(id, { ...row, userId });
	}
};

const ownerOf = ({ tables }: Site, query: string): string | null | undefined =>
	[...tables.purchases.values()].find(({ reference }) => query.endsWith(reference))?.userId;
const idOf = ({ tables }: Site, email: string): UserId | undefined =>
	[...tables.users.values()].find((user) => user.email === email)?.id;
const open = (visitor: Visitor, query: string): Promise<Answer> => visitor.open(`${PAGE}?${query}`);
const post = (
	visitor: Visitor,
	action: string,
	query: string,
	fields: Readonly<Record<string, string>> = {},
	headers: Readonly<Record<string, string>> = {}
): Promise<Answer> => visitor.post(`${PAGE}?/${action}&${query}`, fields, headers);

describe('a visitor who is signed out', () => {
	test('does not find the email address, or a use for its code, on the sign-in pages either', async () => {
		const site = await aSite();
		const email = newAddress('buyer');
		const query = await buy(site, email);
		const visitor = site.visitor();
		await open(visitor, query);
		await post(visitor, 'request', query);
		for (const path of ['/auth/sign-in', '/auth/sign-in?step=email', '/auth/sign-up']) {
			const page = await visitor.open(path);
			expect(page.data).toMatchObject({ step: 'email', pendingCode: null });
			expect(page.text).not.toContain(email);
		}
		const code = await site.codeFor(email);
		const fields = { email, code };
		expect((await visitor.post('/auth/sign-in?/verify', fields)).status).toBe(400);
		const planted = site.visitor();
		planted.setCookie('postern_browser', `${visitor.cookie('postern_browser')} hidden`);
		expect((await planted.open('/auth/sign-in')).data['pendingCode']).toBeNull();
		expect((await post(visitor, 'verify', query, { code })).status).toBe(303);
	});

	test('promises no new account where sign-up is closed', async () => {
		const site = await aSite({ SIGN_UP: 'closed' });
		const page = await open(site.visitor(), await buy(site, newAddress()));
		expect(page.data).toMatchObject({ step: 'send', createsAccounts: false });
	});

	test('claims by a code, becomes a user, and never sees the whole email address', async () => {
		const site = await aSite();
		const email = newAddress('buyer');
		const query = await buy(site, email);
		const visitor = site.visitor();
		const first = await open(visitor, query);
		expect(first.data).toMatchObject({
			product: 'A book',
			boughtWith: 'b•••@example.com',
			step: 'send',
			pendingCode: null,
			createsAccounts: true,
			keptQuery: query
		});
		const requested = await post(visitor, 'request', query);
		expect([requested.status, requested.location]).toEqual([303, `${PAGE}?${query}`]);
		const code = await site.codeFor(email);
		const page = await open(visitor, query);
		expect(page.data).toMatchObject({
			step: 'code',
			pendingCode: { email: 'b•••@example.com', attemptsLeft: 5 }
		});
		const { challenges } = site.tables;
		for (const [id, row] of challenges) challenges.set(id, { ...row, bouncedAt: row.createdAt });
		expect((await open(visitor, query)).data).toMatchObject({ step: 'send', bounced: true });
		const no = await post(visitor, 'verify', query, { code: wrong(code) });
		const empty = await post(visitor, 'verify', query, { code: '' });
		expect([no.status, empty.status]).toEqual([400, 400]);
		expect(no.form).toMatchObject({
			form: { errors: { code: [messages.errors.invalidCodeAttempts(4)] } }
		});
		const soon = await post(visitor, 'resend', query);
		expect([soon.status, soon.headers.get('retry-after')]).toEqual([429, '30']);
		for (const { text } of [first, requested, page, no, empty, soon]) {
			expect(text).not.toContain(email.split('@')[0]);
		}
		expect([idOf(site, email), ownerOf(site, query)]).toEqual([undefined, null]);

		const done = await post(visitor, 'verify', query, { code });
		expect([done.status, done.location]).toEqual([303, `${PAGE}?${query}`]);
		expect(shownEmail(await visitor.api(ME))).toBe(email);
		expect(ownerOf(site, query)).toBe(idOf(site, email));
		expect((await open(visitor, query)).data['step']).toBe('done');
		// To anyone else with the link the page looks like that of an unclaimed purchase.
		expect((await open(site.visitor(), query)).data['step']).toBe('send');
	});

	test('in no failing state, responses to scripts included, does any response contain the email address', async () => {
		const site = await aSite();
		const email = newAddress('buyer');
		const query = await buy(site, email);
		const visitor = site.visitor();
		await open(visitor, query);
		const answers = [await post(visitor, 'verify', query, { code: '123456' }, SCRIPT)];
		answers.push(await post(visitor, 'request', query, {}, SCRIPT));
		const code = wrong(await site.codeFor(email));
		for (let guess = 0; guess < 6; guess += 1) {
			answers.push(await post(visitor, 'verify', query, { code }, SCRIPT));
		}
		answers.push(await post(visitor, 'resend', query, {}, SCRIPT));
		answers.push(await open(visitor, query));
		expect(answers.at(-1)?.data['pendingCode']).toMatchObject({ state: 'exhausted' });
		for (let send = 0; send < 4; send += 1) {
			site.clock.advance(31);
			answers.push(await post(visitor, 'resend', query, {}, SCRIPT));
		}
		site.clock.advance(31);
		const often = await post(visitor, 'resend', query);
		expect(often.status).toBe(429);
		site.clock.advance(601);
		answers.push(often, await open(visitor, query));
		for (const { text, headers } of answers) {
			expect(text + JSON.stringify([...headers])).not.toContain(email.split('@')[0]);
		}
		expect([visitor.cookie(SESSION), idOf(site, email)]).toEqual([null, undefined]);
	});

	test('cannot choose the email address: the code is sent to the buyer and checked for the buyer', async () => {
		const site = await aSite();
		const [email, other] = [newAddress('buyer'), newAddress('other')];
		const query = await buy(site, email);
		const visitor = site.visitor();
		await post(visitor, 'request', query, { email: other });
		expect(await site.mailsTo(other)).toEqual([]);
		const code = await site.codeFor(email);
		expect((await post(visitor, 'verify', query, { code, email: other })).status).toBe(303);
		expect([idOf(site, other), ownerOf(site, query)]).toEqual([undefined, idOf(site, email)]);
	});

	test('claims nothing with the code of another purchase, of a sign-in elsewhere or of another browser', async () => {
		const site = await aSite();
		const [mine, theirs] = [newAddress('buyer'), newAddress('buyer')];
		const [myQuery, theirQuery] = [await buy(site, mine), await buy(site, theirs)];
		const visitor = site.visitor();
		await post(visitor, 'request', myQuery);
		await post(visitor, 'request', theirQuery);
		const [code, other] = [await site.codeFor(mine), await site.codeFor(theirs)];
		const crossed = await post(visitor, 'verify', theirQuery, { code });
		const stranger = await post(site.visitor(), 'verify', theirQuery, { code: other });
		expect([crossed.status, stranger.status, ownerOf(site, theirQuery)]).toEqual([400, 400, null]);
	});

	test('is redirected to sign-in by “claim”, which changes nothing', async () => {
		const site = await aSite();
		const query = await buy(site, newAddress('buyer'));
		const refused = await post(site.visitor(), 'claim', query);
		expect(refused.location).toBe(`/auth/sign-in?redirectTo=${encodeURIComponent(PAGE)}`);
		expect(ownerOf(site, query)).toBeNull();
	});

	test('with a deleted account is redirected to restore it, and claims afterwards', async () => {
		const { site, email, visitor: owner, token } = await aSignedInSite();
		await owner.call('/api/auth/delete-user', { method: 'POST', headers: bearer(token) });
		const query = await unclaimed(site, email);
		const visitor = site.visitor();
		site.clock.advance(31);
		await post(visitor, 'request', query);
		const code = await site.codeFor(email);
		const led = await post(visitor, 'verify', query, { code });
		expect([led.location, ownerOf(site, query)]).toEqual(['/auth/account-deleted', null]);
		await visitor.post('/auth/account-deleted?/restore');
		await post(visitor, 'claim', query);
		expect(ownerOf(site, query)).toBe(idOf(site, email));
	});
});

describe('a visitor who is signed in', () => {
	test('with the email address of the purchase claims directly', async () => {
		const { site, visitor, email } = await aSignedInSite();
		const query = await unclaimed(site, email);
		expect((await open(visitor, query)).data['step']).toBe('claim');
		const claimed = await post(visitor, 'claim', query);
		expect([claimed.status, claimed.location]).toEqual([303, `${PAGE}?${query}`]);
		const [purchase] = site.tables.purchases.keys();
		const logged = { name: 'purchase_claimed', outcome: 'ok', purchase };
		expect(site.log).toContainEqual(expect.objectContaining(logged));
		expect(ownerOf(site, query)).toBe(idOf(site, email));
		expect((await open(visitor, query)).data['step']).toBe('done');
	});

	test('with another email address is offered a code, and cannot claim', async () => {
		const site = await aSite();
		const buyer = await signIn(site);
		const { visitor } = await signIn(site);
		const [claimed, free] = [await buy(site, buyer.email), await unclaimed(site, buyer.email)];
		expect(ownerOf(site, claimed)).toBe(idOf(site, buyer.email));
		for (const query of [claimed, free]) {
			const owner = ownerOf(site, query);
			expect((await open(visitor, query)).data['step']).toBe('send');
			expect((await post(visitor, 'claim', query)).status).toBe(303);
			expect(ownerOf(site, query)).toBe(owner);
		}
		expect((await open(buyer.visitor, claimed)).data['step']).toBe('done');
	});

	test('sees that another account has a purchase of this email address', async () => {
		const site = await aSite();
		const [ada, bob] = [await signIn(site), await signIn(site)];
		const query = await unclaimed(site, ada.email);
		const userId = idOf(site, bob.email) ?? null;
		giveTo(site, query, userId);
		expect((await open(ada.visitor, query)).data['step']).toBe('taken');
		await post(ada.visitor, 'claim', query);
		expect(site.log).toContainEqual(expect.objectContaining({ outcome: 'refused' }));
		expect(ownerOf(site, query)).toBe(userId);
	});
});

describe('the page', () => {
	test('an unknown, malformed or missing reference is the same 404, for the page and every form', async () => {
		const site = await aSite();
		const query = await buy(site, newAddress('buyer'));
		const reference = query.split('=')[1] ?? '';
		const visitor = site.visitor();
		await visitor.open('/');
		const texts = new Set<string>();
		for (const unknown of [
			'',
			'reference=',
			'reference',
			'reference=x',
			`ref=${reference}`,
			`reference=${reference}x`,
			`reference=%00${reference}`,
			`reference=${'A'.repeat(43)}`,
			`reference=&reference=${reference}`
		]) {
			const page = await open(visitor, unknown);
			texts.add(page.text);
			expect([unknown, page.status]).toEqual([unknown, 404]);
			for (const action of ['request', 'resend', 'verify', 'claim']) {
				const fields = { email: newAddress('victim'), code: '123456' };
				const posted = await post(visitor, action, unknown, fields);
				expect([unknown, action, posted.status]).toEqual([unknown, action, 404]);
			}
		}
		expect([...texts]).toEqual([expect.stringContaining(messages.checkout.unknownText)]);
		expect(site.tables.challenges.size).toBe(0);
	});

	test('F10 opening it sends nothing and changes nothing', async () => {
		const site = await aSite();
		const email = newAddress('buyer');
		const query = await buy(site, email);
		const [before] = site.tables.purchases.values();
		for (const path of [`${PAGE}?${query}`, `${PAGE}?/request&${query}`]) {
			expect((await site.visitor().open(path)).status).toBe(200);
		}
		expect([...site.tables.purchases.values()]).toEqual([before]);
		expect([await site.mailsTo(email), site.tables.challenges.size]).toEqual([[], 0]);
	});
});
