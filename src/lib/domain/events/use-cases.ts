import type { Account } from '../account/ports.ts';
import type { Deps } from '../deps.ts';
import type { Email } from '../email.ts';
import type { EventId, UserId } from '../ids.ts';
import { inBatches } from '../pacer.ts';
import { EMAIL_CHANGE_PURPOSES } from '../sign-in/ports.ts';
import { DAY, HOUR, secondsAfter } from '../time.ts';
import type { AccountEvent, Actor } from './ports.ts';

/** Rows of one page, unless the caller wants more or fewer. */
export const PAGE_SIZE = 50;

export interface EventPage {
	/** Newest first. */
	readonly events: readonly AccountEvent[];
	/** The last event, after which the next page begins. Null on the last page. */
	readonly next: EventId | null;
}

export const readEvents = async (
	{ events }: Deps<'events'>,
	userId: UserId,
	after: EventId | null,
	size: number
): Promise<EventPage> => {
	const found = await events.pageOf(userId, after, size + 1);
	const page = found.slice(0, size);
	return { events: page, next: found.length > size ? (page.at(-1)?.id ?? null) : null };
};

/** An event as the person reads it: an operator has no name, no client and no reason. */
const forPerson = (event: AccountEvent): AccountEvent => {
	if (event.actor.kind !== 'operator') return event;
	const hidden = { requestId: null, ipAddress: null, userAgent: null, detail: null };
	return { ...event, ...hidden, actor: { kind: 'operator', id: null } };
};

const makeReadActivity =
	(deps: Deps<'events'>) =>
	async (userId: UserId, after: EventId | null, size = PAGE_SIZE): Promise<EventPage> => {
		const { events, next } = await readEvents(deps, userId, after, size);
		return { events: events.map(forPerson), next };
	};

const operatorOf = (actor: Actor): UserId | null => (actor.kind === 'operator' ? actor.id : null);

/** Repeating the last event within an hour adds none, so that one person cannot fill the table. */
export const recordReading = async (
	{ events, clock }: Deps<'events' | 'clock'>,
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

export type AccountDataDeps = Deps<
	| 'accounts'
	| 'sessions'
	| 'devices'
	| 'emailChanges'
	| 'emailUndos'
	| 'oidcStore'
	| 'consents'
	| 'purchases'
	| 'events'
	| 'clock'
>;

/** What is kept about a person, besides events. Of the records of consents, the newest `consents`. */
export const readAccountData = async (
	deps: AccountDataDeps,
	account: Account,
	consents: number
) => {
	const { id } = account;
	const now = deps.clock.now();
	const pending = await deps.emailChanges.pendingOf(id, EMAIL_CHANGE_PURPOSES, now);
	return {
		account: { ...account, ...(await deps.consents.of(id)) },
		sessions: await deps.sessions.listOf(id, now),
		devices: await deps.devices.listOf(id),
		pendingChange: pending && {
			email: pending.email,
			createdAt: pending.createdAt,
			expiresAt: pending.expiresAt
		},
		/** Old email addresses that can still undo a change. */
		undoable: await deps.emailUndos.listOf(id, now),
		applications: await deps.oidcStore.applicationsOf(id, now),
		consent: await deps.consents.historyOf(id, consents),
		purchases: await deps.purchases.listOf(id)
	};
};

/** More events or records of consents than an account can have. */
const ALL_ROWS = 1_000_000;

/** The data of the account with an email address, deleted or not. Null when there is none. */
const makeExportAccount = (deps: AccountDataDeps) => async (email: Email, actor: Actor) => {
	const found = await deps.accounts.find(email);
	if (found === null) return null;
	const { id } = found;
	await recordReading(deps, id, 'exported', actor);
	const data = await readAccountData(deps, found, ALL_ROWS);
	const events = await deps.events.pageOf(id, null, ALL_ROWS);
	return { exportedAt: deps.clock.now(), ...data, events: events.map(forPerson) };
};

type PruneDeps = Deps<'events' | 'pacer' | 'clock' | 'policy' | 'eventsDays'>;

const makePruneEvents =
	({ events, pacer, clock, policy, eventsDays }: PruneDeps) =>
	(): Promise<number> => {
		const before = secondsAfter(clock.now(), -eventsDays * DAY);
		return inBatches(policy.prune.batch, pacer, (limit) => events.prune(before, limit));
	};

export const events = {
	readActivity: makeReadActivity,
	pruneEvents: makePruneEvents,
	exportAccount: makeExportAccount
};
