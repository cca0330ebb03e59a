import { expect, it } from 'vitest';
import type { LeasedMail } from '#lib/domain/delivery/ports.ts';
import { present } from '../../support/http/fixtures.ts';
import { at } from '../stores/examples.ts';
import { storeContract } from '../stores/suite.ts';
import { anOutboxRow, leaseAt, queue, raceLeases } from './outbox-examples.ts';

export const outboxRowsContract = storeContract('outbox rows', (backing) => {
	const port = () => backing.stores.outboxRows;
	const add = (...emails: Parameters<typeof anOutboxRow>[0][]) => {
		const rows = emails.map((but) => anOutboxRow(but));
		return queue(backing.stores, ...rows).then(() => rows);
	};
	const only = async (seconds = 1): Promise<LeasedMail> =>
		present((await leaseAt(port(), seconds))[0]);
	const idsOf = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id);

	it('a new row is due at once, with everything that was stored', async () => {
		const [email] = await add({ expiresAt: at(550), kind: 'email_change_link' });
		expect(await leaseAt(port(), 0)).toEqual([{ ...email, attempt: 1, until: at(60) }]);
	});

	it('a lease is of its lane, of rows that are due, and of at most so many', async () => {
		const [first, second] = await add({}, {}, { lane: 'unconditional' }, { queuedAt: at(20) });
		expect(idsOf(await leaseAt(port(), 0, 1))).toEqual([first?.id]);
		expect(idsOf(await leaseAt(port(), 0))).toEqual([second?.id]);
		expect(await leaseAt(port(), 0)).toEqual([]);
		expect(await leaseAt(port(), 0, 10, 'unconditional')).toHaveLength(1);
		expect(await leaseAt(port(), 20)).toHaveLength(1);
	});

	it('a leased row is due again when the lease ends, also after a restart', async () => {
		const [email] = await add({});
		expect((await only(0)).attempt).toBe(1);
		expect(await leaseAt(port(), 59)).toEqual([]);
		const [again] = await leaseAt(port(), 60);
		expect(again).toEqual({ ...email, attempt: 2, until: at(120) });
	});

	it('the backlog has the rows that are still to be sent, leased or not', async () => {
		expect(await port().backlog()).toEqual({ waiting: 0, oldest: null });
		await add({ queuedAt: at(0) }, { queuedAt: at(5) }, { lane: 'unconditional', queuedAt: at(3) });
		const lease = await only(4);
		expect(await port().backlog()).toEqual({ waiting: 3, oldest: at(0) });
		await port().giveUp(lease, at(5), 'rejected', true);
		expect(await port().backlog()).toEqual({ waiting: 2, oldest: at(3) });
	});

	it('the queues take turns, over several leases, and each in its order', async () => {
		const rows = await add(
			{ fairnessKey: 'flood', queuedAt: at(0) },
			{ fairnessKey: 'flood', queuedAt: at(1) },
			{ fairnessKey: 'flood', queuedAt: at(2) },
			{ fairnessKey: 'honest', queuedAt: at(4) },
			{ fairnessKey: 'other', queuedAt: at(3) }
		);
		const [first, second, third, honest, other] = idsOf(rows);
		expect(idsOf(await leaseAt(port(), 5, 2))).toEqual([first, other]);
		expect(idsOf(await leaseAt(port(), 5, 1))).toEqual([honest]);
		// A queue that was served waits for the others, and one that was empty does not overtake.
		const [late, flood] = idsOf(
			await add({ fairnessKey: 'new', queuedAt: at(5) }, { fairnessKey: 'flood', queuedAt: at(6) })
		);
		expect(idsOf(await leaseAt(port(), 7))).toEqual([second, late, third, flood]);
	});

	it('a row that was never leased comes before all that are due again', async () => {
		const [again, failed] = await add({}, { fairnessKey: 'another' });
		await leaseAt(port(), 0);
		const [late] = await add({ queuedAt: at(50) });
		expect(idsOf(await leaseAt(port(), 60, 1))).toEqual([late?.id]);
		const [later] = await add({ queuedAt: at(60) });
		expect(idsOf(await leaseAt(port(), 60))).toEqual([later?.id, again?.id, failed?.id]);
	});

	it('emails that were given up do not count as turns of their queue', async () => {
		await add(...Array.from({ length: 5 }, () => ({ fairnessKey: 'office' })));
		for (const lease of await leaseAt(port(), 0)) {
			await port().giveUp(lease, at(1), 'rejected', true);
		}
		const [other, office] = await add(
			{ queuedAt: at(3) },
			{ fairnessKey: 'office', queuedAt: at(2) }
		);
		expect(idsOf(await leaseAt(port(), 4))).toEqual([office?.id, other?.id]);
	});

	it('the lanes have turns of their own', async () => {
		await add({ lane: 'unconditional' }, { lane: 'unconditional' }, { lane: 'unconditional' });
		const rows = await add({ queuedAt: at(2) }, { fairnessKey: 'another', queuedAt: at(1) });
		const [second, first] = idsOf(rows);
		expect(idsOf(await leaseAt(port(), 5))).toEqual([first, second]);
	});

	it('a removed row is gone', async () => {
		await add({});
		await port().remove(await only());
		expect(await backing.rows('outboxRows')).toBe(0);
	});

	it('a row is due again at the time of its next attempt', async () => {
		await add({});
		await port().retryAt(await only(), at(30));
		expect(await leaseAt(port(), 29)).toEqual([]);
		expect((await only(30)).attempt).toBe(2);
	});

	it('a lease that has ended changes nothing after a later one', async () => {
		const [email] = await add({});
		const ended = await only(0);
		const later = await only(60);
		await port().remove(ended);
		await port().retryAt(ended, at(61));
		await port().giveUp(ended, at(61), 'rejected', true);
		expect(await leaseAt(port(), 119)).toEqual([]);
		expect(await port().failed()).toEqual([]);
		expect(await leaseAt(port(), 120)).toEqual([{ ...email, attempt: 3, until: at(180) }]);
		await port().remove(later);
		expect(await backing.rows('outboxRows')).toBe(1);
	});

	it('a row that was given up is never due, and is listed, the latest first', async () => {
		const [first, second] = await add({}, {});
		const [one, two] = (await leaseAt(port(), 0)) as [LeasedMail, LeasedMail];
		await port().giveUp(one, at(5), 'attempts_over', false);
		await port().giveUp(two, at(6), 'expired', true);
		expect(await leaseAt(port(), 100_000)).toEqual([]);
		expect(await port().failed()).toEqual([
			{ ...second, content: '', attempts: 1, failedAt: at(6), failure: 'expired' },
			{ ...first, attempts: 1, failedAt: at(5), failure: 'attempts_over' }
		]);
		await port().remove(one);
		await port().retryAt(two, at(7));
		expect(await port().failed()).toHaveLength(2);
		expect(await leaseAt(port(), 8)).toEqual([]);
	});

	it('rows that were given up are due again on request, all or those that are named', async () => {
		const rows = await add({}, {}, {});
		for (const lease of await leaseAt(port(), 0)) {
			await port().giveUp(lease, at(5), 'attempts_over', false);
		}
		const [first, second, third] = rows;
		expect(await port().retryFailed(second === undefined ? [] : [second.id], at(10))).toBe(1);
		expect(await leaseAt(port(), 10)).toEqual([
			{ ...second, queuedAt: at(10), attempt: 2, until: at(70) }
		]);
		expect(await port().retryFailed(null, at(20))).toBe(2);
		expect(idsOf(await leaseAt(port(), 20)).toSorted()).toEqual([first?.id, third?.id].toSorted());
		expect(await port().failed()).toEqual([]);
		expect(await port().retryFailed(null, at(20))).toBe(0);
	});

	it('a wiped or worthless row stays given up', async () => {
		await add({}, { expiresAt: at(100) });
		const leases = await leaseAt(port(), 0);
		for (const lease of leases) {
			await port().giveUp(lease, at(5), 'rejected', lease.expiresAt === null);
		}
		expect(await port().retryFailed(null, at(100))).toBe(0);
		expect(await port().failed()).toHaveLength(2);
		expect(await port().retryFailed(null, at(99))).toBe(1);
	});

	it('pruning removes rows that were given up long ago, in batches, and no others', async () => {
		await add({}, {}, {}, {});
		const [one, two, three] = await leaseAt(port(), 0, 3);
		for (const [lease, seconds] of [[one, 5] as const, [two, 5] as const, [three, 6] as const]) {
			if (lease) await port().giveUp(lease, at(seconds), 'rejected', true);
		}
		expect(await port().prune(at(5), 1)).toBe(1);
		expect(await port().prune(at(5), 10)).toBe(1);
		expect(await port().prune(at(5), 10)).toBe(0);
		expect(await backing.rows('outboxRows')).toBe(2);
	});

	it('of concurrent leases over all instances, exactly one gets each row', async () => {
		const { instances, stores } = backing;
		expect(await raceLeases(instances, stores, 12)).toEqual({ rows: 12, leases: 12 });
	});
});
