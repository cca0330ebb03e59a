import type { Accounts } from '../account/ports.ts';
import type { ConsentRecord, Consents, UserData } from '../consent/ports.ts';
import type { DeviceOfAccount, Devices } from '../devices/ports.ts';
import type { EmailChanges, EmailUndos, UndoableChange } from '../email-change/ports.ts';
import type { Email } from '../email.ts';
import type { OidcStore, SignedInApplication } from '../oidc/ports.ts';
import type { Purchase, Purchases } from '../purchases/ports.ts';
import type { Session, Sessions } from '../sessions/ports.ts';
import { EMAIL_CHANGE_PURPOSES, type Challenge } from '../sign-in/ports.ts';
import type { UserId } from '../ids.ts';
import { secondsAfter, type Clock } from '../time.ts';
import type { User } from '../user.ts';
import type { AccountEvent, EventCursor, Events } from './ports.ts';

/** The data of a person, as a file has it. */
export interface AccountExport {
	readonly exportedAt: Date;
	readonly account: User & Partial<UserData> & { readonly deletedAt: Date | null };
	/** Where the account is signed in, the last used first. */
	readonly sessions: readonly Session[];
	/** The browsers and programs that the account knows, the last used first. */
	readonly devices: readonly DeviceOfAccount[];
	readonly pendingChange: Pick<Challenge, 'email' | 'createdAt' | 'expiresAt'> | null;
	/** Old email addresses that can still undo a change. */
	readonly undoable: readonly Pick<UndoableChange, 'to' | 'expiresAt'>[];
	/** Where the account is signed in through this service. */
	readonly applications: readonly SignedInApplication[];
	readonly consent: readonly ConsentRecord[];
	readonly purchases: readonly Purchase[];
	/** Newest first. An operator has no name, as on the page. */
	readonly events: readonly AccountEvent[];
}

interface ExportDeps {
	readonly accounts: Accounts;
	readonly sessions: Sessions;
	readonly devices: Devices;
	readonly emailChanges: EmailChanges;
	readonly emailUndos: EmailUndos;
	readonly oidcStore: OidcStore;
	readonly consents: Consents;
	readonly purchases: Purchases;
	readonly events: Events;
	readonly clock: Clock;
}

const HOUR = 3600;
/** More records than the limit of consents lets an account have in a century. */
const ALL = 1_000_000;

/**
 * The data of the account with an email address, deleted or not. Null when there is none. A person who
 * repeats it within an hour adds no further event, so that nobody can fill the table.
 */
export const makeExportAccount =
	({ accounts, consents, purchases, events, clock, ...deps }: ExportDeps) =>
	async (email: Email, by: 'person' | 'operator'): Promise<AccountExport | null> => {
		const found = await accounts.find(email);
		if (found === null) return null;
		const { user, deletedAt } = found;
		const { id } = user;
		const now = clock.now();
		const isBy = ({ kind, actor }: AccountEvent) => kind === 'exported' && actor.kind === by;
		const isRepeated = by === 'person' && (await wasJust(events, id, now, isBy));
		if (!isRepeated) await events.record(id, 'exported');
		const pending = await deps.emailChanges.pendingOf(id, EMAIL_CHANGE_PURPOSES, now);
		return {
			exportedAt: now,
			account: { ...user, ...(await accounts.dataOf(id)), deletedAt },
			sessions: await deps.sessions.listOf(id, now),
			devices: await deps.devices.listOf(id),
			pendingChange: pending && {
				email: pending.email,
				createdAt: pending.createdAt,
				expiresAt: pending.expiresAt
			},
			undoable: await deps.emailUndos.listOf(id, now),
			applications: await deps.oidcStore.applicationsOf(id, now),
			consent: await consents.historyOf(id, ALL),
			purchases: await purchases.listOf(id),
			events: (await allEvents(events, id)).map(forPerson)
		};
	};

/** Whether the last event of an account is such a one, from within the last hour. */
export const wasJust = async (
	events: Pick<Events, 'pageOf'>,
	id: UserId,
	now: Date,
	is: (last: AccountEvent) => boolean
): Promise<boolean> => {
	const [last] = await events.pageOf(id, null, 1);
	return last !== undefined && is(last) && last.at > secondsAfter(now, -HOUR);
};

/** How many events one statement reads. */
const PAGE = 1000;

const allEvents = async (events: Events, id: UserId): Promise<readonly AccountEvent[]> => {
	const all: AccountEvent[] = [];
	let last: EventCursor | null = null;
	for (;;) {
		const page: readonly AccountEvent[] = await events.pageOf(id, last, PAGE);
		all.push(...page);
		last = page.at(-1) ?? null;
		if (page.length < PAGE) return all;
	}
};

/** An event as the person reads it: an operator has no name, no client and no reason. */
export const forPerson = (event: AccountEvent): AccountEvent =>
	event.actor.kind !== 'operator'
		? event
		: {
				...event,
				...{ requestId: null, ipAddress: null, userAgent: null, detail: null },
				actor: { kind: 'operator', id: null }
			};
