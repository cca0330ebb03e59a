import { describe, expect, test } from 'vitest';
import { messages } from '#lib/messages/messages.ts';
import {
	aSignedInSite,
	demandOf,
	newAddress,
	requestCode,
	SEND
} from '../../support/web/sign-in.ts';
import { aSite, type Site } from '../../support/web/site.ts';
import type { Visitor } from '../../support/web/visitor.ts';

const TEN = { EMAIL_BUDGET: '10' };
const TWENTY_TO = new Date('2026-01-02T15:40:00.000Z');
const { overBudget } = messages.errors;

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
	test('the page says so, and until when', async () => {
		const { site, visitor: known, email } = await aSignedInSite(TEN);
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
});

test('without EMAIL_BUDGET nothing is counted', async () => {
	const site = await aSite();
	expect(await send(site, 20)).toEqual(all(200, 20));
	expect([site.tables.siteCounts.size, budgetLines(site)]).toEqual([0, []]);
});
