import { describe, expect, test } from 'vitest';
import { messages } from '#lib/messages/messages.ts';
import {
	bearer,
	demandOf,
	newAddress,
	requestCode,
	SEND,
	signIn
} from '../../support/web/sign-in.ts';
import { aSite, type Site } from '../../support/web/site.ts';
import type { Visitor } from '../../support/web/visitor.ts';

const TEN = { EMAIL_BUDGET: '10' };
const HOUR = 3600;
const TWENTY_TO = new Date('2026-01-02T15:40:00.000Z');
const { overBudget, tooManyNetworkSends } = messages.errors;

/** Sends codes to new email addresses, each from a network of its own unless one is given. */
const send = async (site: Site, times: number, client?: Visitor): Promise<readonly number[]> => {
	const statuses: number[] = [];
	for (let sent = 0; sent < times; sent += 1) {
		const json = { email: newAddress() };
		statuses.push((await (client ?? site.visitor()).call(SEND, { json })).status);
	}
	return statuses;
};

const all = (status: number, times: number): readonly number[] => Array<number>(times).fill(status);

const budgetLines = ({ log }: Site): readonly unknown[] =>
	log.filter(({ name }) => name.startsWith('email_budget'));

describe('EMAIL_BUDGET=10', () => {
	test('unknown clients get 503 after eight, until the next hour; a known device goes on to ten', async () => {
		const site = await aSite(TEN);
		const { email, token } = await signIn(site);
		site.clock.set(TWENTY_TO);
		const own = { json: { email }, headers: bearer(token) };
		expect(await send(site, 8)).toEqual(all(200, 8));
		for (const known of [200, 200, 503]) {
			const refused = await site.visitor().call(SEND, { json: { email: newAddress() } });
			expect([refused.status, refused.headers.get('retry-after'), refused.json()]).toEqual([
				503,
				'1200',
				{
					message: 'The email could not be sent. Please try again.',
					code: 'EMAIL_NOT_SENT'
				}
			]);
			expect((await site.visitor().call(SEND, own)).status).toBe(known);
		}
		site.clock.advance(1200);
		expect(await send(site, 9)).toEqual([...all(200, 8), 503]);
	});

	test('the page says so, and until when', async () => {
		const site = await aSite(TEN);
		const { visitor: known, email } = await signIn(site);
		known.setCookie('postern_session', null);
		site.clock.set(TWENTY_TO);
		await send(site, 8);
		const unknown = await requestCode(site.visitor(), newAddress());
		await known.open('/auth/sign-in');
		await requestCode(known, email);
		site.clock.advance(31);
		await requestCode(known, email);
		site.clock.advance(31);
		const last = await requestCode(known, email);
		for (const [refused, seconds] of [
			[unknown, 1200],
			[last, 1138]
		] as const) {
			expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, String(seconds)]);
			expect(refused.form).toMatchObject({
				form: { errors: { _errors: [overBudget(seconds)] } }
			});
			expect(demandOf(refused)?.wait).toEqual({
				seconds,
				reason: overBudget(null),
				endsOnEdit: true
			});
		}
	});

	test('a network gets five in an hour, its known devices included; then 429', async () => {
		const site = await aSite(TEN);
		const { email, visitor } = await signIn(site);
		site.clock.set(TWENTY_TO);
		const client = site.visitor(visitor, '198.51.100.1');
		const known = { json: { email }, headers: bearer(visitor.cookie('postern_session') ?? '') };
		expect((await client.call(SEND, known)).status).toBe(200);
		expect(await send(site, 4, site.visitor(undefined, '198.51.100.2'))).toEqual(all(200, 4));
		const refused = await client.call(SEND, known);
		expect([refused.status, refused.headers.get('retry-after'), refused.json()]).toEqual([
			429,
			'1200',
			{ message: 'Too many requests. Please try again later.', code: 'TOO_MANY_REQUESTS' }
		]);
		const page = await requestCode(site.visitor(undefined, '198.51.100.3'), newAddress());
		expect(page.form).toMatchObject({
			form: { errors: { _errors: [tooManyNetworkSends(1200)] } }
		});
		expect(await send(site, 1)).toEqual([200]);
		site.clock.advance(1200);
		expect((await client.call(SEND, known)).status).toBe(200);
	});

	test('codes and links count; welcome emails and notices do not', async () => {
		const site = await aSite(TEN);
		const { email, visitor } = await signIn(site);
		// On a device that the account does not know.
		await signIn(site, email);
		const to = newAddress('new');
		const change = await visitor.api('/api/auth/change-email', { json: { newEmail: to } });
		expect(change.status).toBe(200);
		expect((await site.mailsTo(email)).map(({ kind }) => kind)).toEqual([
			'sign_in_code',
			'welcome',
			'sign_in_code',
			'new_device'
		]);
		expect(await site.mailsTo(to)).toHaveLength(1);
		expect(await send(site, 6)).toEqual([...all(200, 5), 503]);
	});

	test('one log line an hour says that 80 % are used, and one that all are', async () => {
		const site = await aSite(TEN);
		const { email, token } = await signIn(site);
		const own = { json: { email }, headers: bearer(token) };
		for (let hour = 1; hour <= 2; hour += 1) {
			site.clock.advance(HOUR);
			site.log.length = 0;
			await send(site, 7);
			expect(budgetLines(site)).toEqual([]);
			await send(site, 3);
			const nearly = { name: 'email_budget_80_percent', used: 8, limit: 10 };
			expect(budgetLines(site)).toEqual([nearly]);
			for (let sent = 0; sent < 3; sent += 1) await site.visitor().call(SEND, own);
			expect(budgetLines(site)).toEqual([
				nearly,
				{ name: 'email_budget_used_up', used: 10, limit: 10 }
			]);
		}
	});
});

test('without EMAIL_BUDGET nothing is counted', async () => {
	const site = await aSite();
	expect(await send(site, 20)).toEqual(all(200, 20));
	expect([site.tables.siteCounts.size, budgetLines(site)]).toEqual([0, []]);
});
