import type { MailId } from '#lib/domain/ids.ts';
import type { OutboxLane, OutboxRow } from '#lib/domain/outbox.ts';
import type { LeasedMail, OutboxRows } from '#lib/domain/delivery/ports.ts';
import type { Stores } from '#lib/domain/deps.ts';
import { ada, aChallenge, at, newUserId, rounds } from '../stores/examples.ts';

type OutboxInstances = readonly Pick<Stores, 'outboxRows'>[];

const newMailId = (): MailId => newUserId() as string as MailId;

/** A welcome that is due from the start. */
export const anOutboxRow = (but: Partial<OutboxRow> = {}): OutboxRow => ({
	id: newMailId(),
	lane: 'conditional',
	fairnessKey: 'a network',
	kind: 'welcome',
	content: 'sealed',
	queuedAt: at(0),
	expiresAt: null,
	...but
});

/** Queues emails as an operation does that stores their fact. */
export const queue = async (
	{ challenges }: Pick<Stores, 'challenges'>,
	...mails: readonly OutboxRow[]
): Promise<void> => {
	for (const email of mails) {
		const fact = aChallenge({ email: ada, boundTo: email.id as never });
		await challenges.issue(fact, fact.createdAt, [email]);
	}
};

/** Leases for a minute from `seconds` on. */
export const leaseAt = (
	rows: OutboxRows,
	seconds: number,
	limit = 10,
	lane: OutboxLane = 'conditional'
): Promise<readonly LeasedMail[]> => rows.lease(lane, at(seconds), at(seconds + 60), limit);

/** Workers of all instances lease the same rows. Returns how many rows were leased, and how often. */
export const raceLeases = async (
	instances: OutboxInstances,
	facts: Pick<Stores, 'challenges'>,
	mails: number
): Promise<{ readonly rows: number; readonly leases: number }> => {
	await queue(facts, ...Array.from({ length: mails }, () => anOutboxRow()));
	const leased: string[] = [];
	const work = async ({ outboxRows }: Pick<Stores, 'outboxRows'>): Promise<void> => {
		for (let tries = 0; tries < mails; tries += 1) {
			for (const { id } of await leaseAt(outboxRows, 1, 3)) leased.push(id);
		}
	};
	const workers = Array.from({ length: rounds(6, 16) }, (_, n) => instances[n % instances.length]);
	await Promise.all(workers.map((instance) => instance && work(instance)));
	return { rows: new Set(leased).size, leases: leased.length };
};
