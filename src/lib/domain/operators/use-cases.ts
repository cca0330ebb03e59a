import type { Accounts } from '../account/ports.ts';
import type { ConsentRecord, Consents, UserData } from '../consent/ports.ts';
import type { DeviceOfAccount, Devices } from '../devices/ports.ts';
import type { EmailChanges } from '../email-change/ports.ts';
import { parseEmail, type Email } from '../email.ts';
import { wasJust } from '../events/export-account.ts';
import type { AccountEvent, EventCursor, Events } from '../events/ports.ts';
import { makeReadEvents, type EventPage } from '../events/use-cases.ts';
import { parseUserId, type SessionId, type UserId } from '../ids.ts';
import type { Outbox } from '../outbox.ts';
import type { AuthPolicy } from '../policy.ts';
import type { DomainNames } from '../ports.ts';
import type { Purchase, Purchases } from '../purchases/ports.ts';
import type { Session, Sessions } from '../sessions/ports.ts';
import { EMAIL_CHANGE_PURPOSES, type Challenge } from '../sign-in/ports.ts';
import { secondsAfter, type Clock } from '../time.ts';
import { storable, type Role } from '../user.ts';
import { makeOperatorEmailChange } from './change-email.ts';
import type { Action, ManagedAccount, NotDone, Operators, Sends } from './ports.ts';

interface OperatorDeps {
	readonly operators: Operators;
	readonly accounts: Accounts;
	readonly consents: Consents;
	readonly devices: Devices;
	readonly emailChanges: EmailChanges;
	readonly events: Events;
	readonly purchases: Purchases;
	readonly sessions: Sessions;
	readonly outbox: Outbox;
	readonly domainNames: DomainNames;
	readonly clock: Clock;
	readonly policy: AuthPolicy;
}

type Target = Omit<Action, 'now'>;

/** A page of accounts in the order of their email addresses. */
export interface AccountPage {
	readonly accounts: readonly ManagedAccount[];
	/** After which email address the next page begins. Null on the last one. */
	readonly next: Email | null;
}

/** Everything that operators see of an account. */
export interface AccountSheet {
	readonly account: ManagedAccount;
	readonly data: UserData | null;
	/** The last used first. */
	readonly sessions: readonly Session[];
	readonly devices: readonly DeviceOfAccount[];
	readonly sends: Sends;
	readonly pendingChange: Pick<Challenge, 'email' | 'expiresAt'> | null;
	readonly consents: readonly ConsentRecord[];
	readonly purchases: readonly Purchase[];
	readonly events: EventPage;
	/** When a deleted account is removed. */
	readonly purgeAt: Date | null;
}

/** Events and consents in a sheet. */
const SHOWN = 50;

/** What operators do to the accounts of others, by page and by command. */
interface ManageAccounts {
	isOperator(id: UserId): Promise<boolean>;
	/** Accounts whose email address begins with the text, or the one whose id it is. */
	list(text: string, after: string | null, size: number): Promise<AccountPage>;
	/** By email address or id. */
	find(text: string): Promise<ManagedAccount | null>;
	/**
	 * With `size` events after `before`. Records that an operator looked, unless `by` did so within an
	 * hour and nothing happened since. Null when the account is gone.
	 */
	open(
		id: UserId,
		by: UserId | null,
		before?: EventCursor | null,
		size?: number
	): Promise<AccountSheet | null>;
	setRole(account: ManagedAccount, role: Role | null): Promise<UserId | NotDone>;
	/** One session, or all. */
	endSessions(target: Target, session: SessionId | null): Promise<readonly SessionId[] | NotDone>;
	block(target: Target): Promise<readonly SessionId[] | NotDone>;
	unblock(target: Target): Promise<UserId | NotDone>;
	/** The account can be restored during the grace period, and an email says how. */
	delete(target: Target): Promise<readonly SessionId[] | NotDone>;
	restore(target: Target): Promise<UserId | NotDone>;
}

const makeManageAccounts = (deps: OperatorDeps): ManageAccounts => {
	const { operators, clock, policy } = deps;
	const { grace } = deps.policy.deletion;
	const at = (target: Target): Action => ({ ...target, now: clock.now() });
	const byId = async (text: string): Promise<ManagedAccount | null> => {
		const id = parseUserId(text.trim().toLowerCase());
		return id && operators.find(id);
	};
	return {
		isOperator: (id) => operators.isOperator(id),

		list: async (text, after, size) => {
			const found = await byId(text);
			if (found !== null) return { accounts: [found], next: null };
			const prefix = storable(text.trim().toLowerCase());
			const query = { prefix, after: after && storable(after), limit: size + 1 };
			const accounts = await operators.list(query);
			const page = accounts.slice(0, size);
			const last = page.at(-1)?.user.email ?? null;
			return { accounts: page, next: accounts.length > size ? last : null };
		},

		find: async (text) => {
			const email = parseEmail(text, deps.domainNames);
			if (!email.ok) return byId(text);
			const [found] = await operators.list({ prefix: email.value, after: null, limit: 1 });
			return found?.user.email === email.value ? found : null;
		},

		open: async (id, by, before = null, size = SHOWN) => {
			const account = await operators.find(id);
			if (account === null) return null;
			const now = clock.now();
			const isTheirs = ({ kind, actor }: AccountEvent): boolean =>
				kind === 'opened' && actor.kind === 'operator' && actor.id === by;
			const isRepeated = await wasJust(deps.events, id, now, isTheirs);
			if (!isRepeated) await deps.events.record(id, 'opened');
			return {
				account,
				data: await deps.accounts.dataOf(id),
				sessions: await deps.sessions.listOf(id, now),
				pendingChange: await deps.emailChanges.pendingOf(id, EMAIL_CHANGE_PURPOSES, now),
				consents: await deps.consents.historyOf(id, SHOWN),
				purchases: await deps.purchases.listOf(id),
				events: await makeReadEvents(deps)(id, before, size),
				purgeAt: account.deletedAt && secondsAfter(account.deletedAt, grace),
				devices: await deps.devices.listOf(id),
				sends: await operators.sendsOf(account)
			};
		},

		setRole: ({ user }, role) => operators.setRole(user.email, role, clock.now()),
		endSessions: (target, session) => operators.endSessions(at(target), session),
		block: (target) => operators.block(at(target)),
		unblock: (target) => operators.unblock(at(target)),

		delete: async (target) => {
			const action = at(target);
			const account = await operators.find(target.userId);
			if (account === null) return 'gone';
			const { id, email: to } = account.user;
			const purgeAt = secondsAfter(action.now, policy.deletion.grace);
			const mail = { kind: 'account_deleted', to, at: action.now, purgeAt, client: null } as const;
			const email = deps.outbox.prepare(mail, { now: action.now, fairnessKey: id });
			const ended = await operators.delete(action, [email]);
			if (typeof ended !== 'string') deps.outbox.wake();
			return ended;
		},

		restore: (target) => operators.restore(at(target))
	};
};

export const operators = {
	manageAccounts: makeManageAccounts,
	operatorEmailChange: makeOperatorEmailChange
};
