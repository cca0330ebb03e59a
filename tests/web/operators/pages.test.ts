import { describe, expect, test } from 'vitest';
import { pageRules } from '#lib/adapters/web/page-rules.ts';
import type { Email } from '#lib/domain/email.ts';
import type { UserId } from '#lib/domain/ids.ts';
import { messages } from '#lib/messages/messages.ts';
import { bearer, enterCode, newAddress, requestCode, signIn } from '../../support/web/sign-in.ts';
import { aSite, type Site } from '../../support/web/site.ts';
import type { Answer, Visitor } from '../../support/web/visitor.ts';

const ON = { ADMIN: 'on' };
const UNKNOWN = '/nothing/is/here';

const setRole = async (site: Site, verb: 'grant' | 'revoke', email: string): Promise<void> => {
	const { id: userId } = site.userOf(email);
	await site.app.actOnAccount({ verb, userId, allowsOperators: true });
};

/** A signed-in operator, and somebody else. */
const withOperator = async (site: Site) => {
	const operator = await signIn(site, newAddress('op'));
	await setRole(site, 'grant', operator.email);
	const other = await signIn(site, newAddress('other'));
	return { operator, other, id: site.userOf(other.email).id };
};

const page = (id: UserId): string => `/operators/accounts/${id}`;
const kindsOf = async (site: Site, id: UserId) =>
	(await site.app.readActivity(id, null, 100)).events.map(({ kind, actor }) => [kind, actor.kind]);

/** Every page for operators, with its actions. */
const routes = Object.entries(pageRules)
	.filter(([id]) => id === '/operators' || id.startsWith('/operators/'))
	.map(([id, rules]) => ({ id, actions: Object.keys('actions' in rules ? rules.actions : {}) }));

/** Where a response leads, without its path. */
const shownBy = ({ status, location }: Answer, path: string): unknown[] => [
	status,
	location?.replace(encodeURIComponent(path), 'PATH') ?? null
];

describe('the pages for operators', () => {
	test('this test knows them', () => {
		expect(routes.length).toBe(2);
	});

	test.each(['signed out', 'signed in', 'a former operator', 'an operator while it is off'])(
		'give everybody else what an unknown path gives: %s',
		async (who) => {
			const isOff = who === 'an operator while it is off';
			const site = await aSite(isOff ? {} : ON);
			const { operator, other, id } = await withOperator(site);
			if (who === 'a former operator') await setRole(site, 'revoke', operator.email);
			const before = JSON.stringify([...site.tables.users]);
			const events = site.tables.events.size;
			const visitor: Visitor =
				who === 'signed out'
					? site.visitor()
					: who === 'signed in'
						? other.visitor
						: operator.visitor;
			await visitor.open('/auth/sign-in');
			for (const { id: route, actions } of routes) {
				const path = route.replace('[id]', id);
				expect(shownBy(await visitor.open(path), path)).toEqual(
					shownBy(await visitor.open(UNKNOWN), UNKNOWN)
				);
				for (const action of [...actions, 'missing']) {
					const [there, nowhere] = [
						await visitor.post(`${path}?/${action}`),
						await visitor.post(`${UNKNOWN}?/${action}`)
					];
					expect(shownBy(there, path)).toEqual(shownBy(nowhere, UNKNOWN));
				}
			}
			expect(JSON.stringify([...site.tables.users])).toBe(before);
			expect(site.tables.events.size).toBe(events);
		}
	);

	test('an operator lists accounts and views one, which is an event of the operator', async () => {
		const site = await aSite(ON);
		const { operator, other, id } = await withOperator(site);
		const list = await operator.visitor.open(`/operators?q=${other.email.slice(0, 5)}`);
		expect([list.status, list.data['accounts']]).toEqual([
			200,
			[expect.objectContaining({ id, email: other.email, marks: [] })]
		]);
		const shown = await operator.visitor.open(page(id));
		expect(shown.data).toMatchObject({ account: { email: other.email } });
		await operator.visitor.open(page(id));
		expect((await kindsOf(site, id)).map(([kind]) => kind)).toEqual(['opened', 'signed_up']);
		expect([...site.tables.events.values()].at(-1)?.actor).toEqual({
			kind: 'operator',
			id: site.userOf(operator.email).id
		});
		const nobody = '01955000-0000-7000-8000-999999999999' as UserId;
		expect((await operator.visitor.open(page(nobody))).status).toBe(404);
		expect((await operator.visitor.open('/operators/accounts/x')).status).toBe(404);
	});

	test('the page of an account has its facts and lists, and its marks', async () => {
		const site = await aSite(ON);
		const { operator, other, id } = await withOperator(site);
		const { about, consents, marks, ...texts } = messages.operators;
		const view = async () => (await operator.visitor.open(page(id))).data;
		const factsOf = ({ facts }: Record<string, unknown>): Record<string, unknown> => {
			const all = facts as { label: string; value: unknown }[];
			return Object.fromEntries(all.map(({ label, value }) => [label, value]));
		};
		await site.app.recordPurchase({ email: other.email, product: 'A book' });
		await other.visitor.post('/settings?/grantConsent');
		await other.visitor.post('/settings?/requestEmailChange', { email: 'ada@new.example' });
		const data = await view();
		const createdAt = site.userOf(other.email).createdAt;
		expect(factsOf(data)).toEqual({
			[about.status]: marks.none,
			[about.id]: id,
			[about.name]: '',
			[about.created]: createdAt,
			[about.purge]: null,
			[about.pending]: 'ada@new.example',
			[about.news]: about.on,
			[about.sends]: about.recent(1, 15),
			[about.known]: null,
			[about.wrong]: 0
		});
		const device = { text: 'an unknown device', at: createdAt };
		const session = { canEnd: true, ipAddress: expect.any(String) as string };
		expect(data['lists']).toMatchObject([
			{ title: texts.sessions, rows: [{ ...device, session }] },
			{ title: texts.devices, rows: [device] },
			{ title: consents.title, rows: [{ text: consents.granted, at: createdAt }] },
			{ title: texts.purchases, rows: [{ text: 'A book', at: createdAt }] }
		]);

		for (const [key, one] of site.tables.devices) {
			if (one.userId === id) site.tables.devices.set(key, { ...one, isKnown: false });
		}
		expect((await view())['lists']).toMatchObject([{}, { title: texts.devices, rows: [] }, {}, {}]);

		site.clock.advance(15 * 60);
		await signIn(site, operator.email, operator.visitor);
		for (const verb of ['block', 'delete'])
			await operator.visitor.post(`${page(id)}?/act`, { verb });
		const later = await view();
		const flags = { isOperator: false, isBlocked: true, isDeleted: true };
		expect(later['account']).toMatchObject({ ...flags, marks: [marks.blocked, marks.deleted] });
		expect(factsOf(later)).toMatchObject({
			[about.status]: `${marks.blocked}, ${marks.deleted}`,
			[about.purge]: new Date(site.clock.now().getTime() + 30 * 24 * 60 * 60 * 1000),
			[about.sends]: null
		});
		const own = (await operator.visitor.open(page(site.userOf(operator.email).id))).data;
		expect(own['account']).toMatchObject({ isOperator: true, marks: [marks.operator] });
		expect(own['lists']).toMatchObject([{ rows: [{ session: { canEnd: false } }] }, {}, {}, {}]);
	});

	test('an operator acts, and the page says what happened', async () => {
		const site = await aSite(ON);
		const { operator, other, id } = await withOperator(site);
		const act = async (verb: string, fields = {}) => {
			const { location } = await operator.visitor.post(`${page(id)}?/act`, { verb, ...fields });
			if (location === null) return undefined;
			expect(location).toBe(page(id));
			const { data } = await operator.visitor.open(location);
			const results = ['done', 'unchanged', 'is_operator'];
			return results.find((result) => messages.operators.resultOf(result) === data['result']);
		};
		await operator.visitor.open(page(id));
		const [session] = await site.app.listSessions(id);
		expect(await act('grant')).toBeUndefined();
		expect(await act('end_sessions', { session: 'x' })).toBeUndefined();
		expect(await act('end_sessions', { session: id })).toBe('unchanged');
		expect(await act('end_sessions', { session: session?.id })).toBe('done');
		expect((await other.visitor.open('/app')).status).toBe(303);
		expect(await act('end_sessions')).toBe('done');
		expect([await act('block'), await act('block'), await act('unblock')]).toEqual([
			'done',
			'unchanged',
			'done'
		]);
		expect([await act('delete'), await act('restore')]).toEqual(['done', 'done']);
		expect((await operator.visitor.open(`${page(id)}?result=done`)).data['result']).toBeNull();
		expect(new Set((await kindsOf(site, id)).slice(0, 5).map(([, actor]) => actor))).toEqual(
			new Set(['operator'])
		);
	});

	test('pages cannot act on operators', async () => {
		const site = await aSite(ON);
		const { operator, other, id } = await withOperator(site);
		await setRole(site, 'grant', other.email);
		await operator.visitor.open(page(id));
		for (const verb of ['end_sessions', 'block', 'unblock', 'delete', 'restore']) {
			const { location } = await operator.visitor.post(`${page(id)}?/act`, { verb });
			expect(location).toBe(page(id));
			const { data } = await operator.visitor.open(page(id));
			expect([verb, data['result']]).toEqual([verb, messages.operators.resultOf('is_operator')]);
		}
		expect(site.userOf(other.email)).toMatchObject({ blockedAt: null, deletedAt: null });
	});

	test('an older sign-in needs a code, and comes back', async () => {
		const site = await aSite(ON);
		const { operator, id } = await withOperator(site);
		const { visitor, email } = operator;
		site.clock.advance(15 * 60);
		const signInPage = `/auth/sign-in?${new URLSearchParams({ redirectTo: page(id) })}&again`;
		expect((await visitor.open(page(id))).location).toBe(signInPage);
		const acting = await visitor.post(`${page(id)}?/act`, { verb: 'block' });
		expect([acting.location, site.userOf(email).blockedAt]).toEqual([signInPage, null]);
		await requestCode(visitor, email, signInPage);
		const entered = await enterCode(site, visitor, email, signInPage);
		expect(entered.location).toBe(page(id));
		expect((await visitor.open(page(id))).status).toBe(200);
	});

	test('they never trust a cached session', async () => {
		const site = await aSite(ON);
		const { operator } = await withOperator(site);
		await operator.visitor.open('/app');
		// Another process ended it, and its message has not arrived.
		site.tables.sessions.clear();
		expect((await operator.visitor.open('/operators')).status).toBe(303);
		await requestCode(site.visitor(), operator.email as Email);
		const { token } = await signIn(site, operator.email);
		const byToken = await site.visitor().call('/operators', { headers: bearer(token) });
		expect(byToken.status).toBe(200);
	});

	test('the token of an operator that has just ended lends nothing to the cookie beside it', async () => {
		const site = await aSite(ON);
		const { operator, other } = await withOperator(site);
		const both = () => other.visitor.open('/operators', bearer(operator.token));
		expect((await both()).status).toBe(200);
		const { id } = site.userOf(operator.email);
		for (const [key, row] of site.tables.sessions) {
			if (row.userId === id) site.tables.sessions.delete(key);
		}
		expect((await both()).status).toBe(404);
	});
});
