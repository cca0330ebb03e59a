import type { UserId } from '../ids.ts';
import { inBatches, type Pacer } from '../pacer.ts';
import type { AuthPolicy } from '../policy.ts';
import { secondsAfter, type Clock } from '../time.ts';
import { forPerson, makeExportAccount } from './export-account.ts';
import type { AccountEvent, EventCursor, Events } from './ports.ts';

interface EventsDeps {
	readonly events: Events;
	readonly pacer: Pacer;
	readonly clock: Clock;
	readonly policy: AuthPolicy;
	/** How many days events are kept. */
	readonly eventsDays: number;
}

export interface EventPage {
	/** Newest first. */
	readonly events: readonly AccountEvent[];
	/** Where the next page begins. Null on the last one. */
	readonly next: EventCursor | null;
}

/** A page of the events of an account, as operators read them. */
export type ReadEvents = (
	userId: UserId,
	before: EventCursor | null,
	size: number
) => Promise<EventPage>;

export const makeReadEvents =
	({ events }: Pick<EventsDeps, 'events'>): ReadEvents =>
	async (userId, before, size) => {
		const found = await events.pageOf(userId, before, size + 1);
		const page = found.slice(0, size);
		return { events: page, next: found.length > size ? (page.at(-1) ?? null) : null };
	};

/** The same page for the person. */
const makeReadActivity =
	(deps: EventsDeps): ReadEvents =>
	async (...of) => {
		const page = await makeReadEvents(deps)(...of);
		return { ...page, events: page.events.map(forPerson) };
	};

const DAY = 86_400;

/** Removes events that were kept long enough. Returns how many. */
const makePruneEvents =
	({ events, pacer, clock, policy, eventsDays }: EventsDeps) =>
	(): Promise<number> => {
		const before = secondsAfter(clock.now(), -eventsDays * DAY);
		return inBatches(policy.prune.batch, pacer, (limit) => events.prune(before, limit));
	};

export const events = {
	readActivity: makeReadActivity,
	pruneEvents: makePruneEvents,
	exportAccount: makeExportAccount
};
