import type { UseCaseDeps } from '../deps.ts';
import type { EventId, UserId } from '../ids.ts';
import { HOUR, secondsAfter } from '../time.ts';
import type { AccountEvent, Actor, EventPage } from './ports.ts';

/** Rows of one page, unless the caller wants more or fewer. */
export const PAGE_SIZE = 50;

export const readEvents = async (
	{ events }: UseCaseDeps,
	userId: UserId,
	after: EventId | null,
	size: number
): Promise<EventPage> => {
	const found = await events.pageOf(userId, after, size + 1);
	const page = found.slice(0, size);
	return { events: page, next: found.length > size ? (page.at(-1)?.id ?? null) : null };
};

/** An event as the person reads it: an operator has no name, no client and no reason. */
export const forPerson = (event: AccountEvent): AccountEvent => {
	if (event.actor.kind !== 'operator') return event;
	const hidden = { requestId: null, ipAddress: null, userAgent: null, detail: null };
	return { ...event, ...hidden, actor: { kind: 'operator', id: null } };
};

const makeReadActivity =
	(deps: UseCaseDeps) =>
	async (userId: UserId, after: EventId | null, size = PAGE_SIZE): Promise<EventPage> => {
		const { events, next } = await readEvents(deps, userId, after, size);
		return { events: events.map(forPerson), next };
	};

const operatorOf = (actor: Actor): UserId | null => (actor.kind === 'operator' ? actor.id : null);

/** Repeating the last event within an hour adds none, so that one person cannot fill the table. */
export const recordReading = async (
	{ events, clock }: UseCaseDeps,
	userId: UserId,
	kind: 'opened' | 'exported',
	actor: Actor
): Promise<void> => {
	const [last] = await events.pageOf(userId, null, 1);
	const isRepeated =
		last?.kind === kind &&
		last.actor.kind === actor.kind &&
		operatorOf(last.actor) === operatorOf(actor) &&
		last.at > secondsAfter(clock.now(), -HOUR);
	if (!isRepeated) await events.record(userId, kind);
};

export const events = { readActivity: makeReadActivity };
