import { inBatches, type Background } from '../background.ts';
import type { Device } from '../client.ts';
import type { SessionId, UserId } from '../ids.ts';
import type { Outbox } from '../outbox.ts';
import type { AuthPolicy } from '../policy.ts';
import { secondsAfter, type Clock } from '../time.ts';
import type { Name, User } from '../user.ts';
import type { Accounts, ProfileChange } from './ports.ts';

export interface DeleteAccountInput {
	readonly user: Pick<User, 'id' | 'email'>;
	readonly device: Device;
}

export interface DeletedAccount {
	/** The sessions that the deletion ended. */
	readonly ended: readonly SessionId[];
	/** The end of the grace period. The account can be restored until then. */
	readonly purgeAt: Date;
}

/**
 * Deletes an account. It can be restored during the grace period, and an email says how. Returns
 * null when the account was already deleted.
 */
export type DeleteAccount = (input: DeleteAccountInput) => Promise<DeletedAccount | null>;

export interface DeleteAccountDeps {
	readonly accounts: Accounts;
	readonly outbox: Outbox;
	readonly clock: Clock;
	readonly policy: AuthPolicy;
}

export const makeDeleteAccount =
	(deps: DeleteAccountDeps): DeleteAccount =>
	async ({ user, device }) => {
		const at = deps.clock.now();
		const purgeAt = secondsAfter(at, deps.policy.deletion.grace);
		const mail = { kind: 'account_deleted', to: user.email, at, purgeAt, device } as const;
		const email = deps.outbox.prepare(mail, { now: at, queue: user.id });
		const ended = await deps.accounts.delete(user.id, at, [email]);
		if (ended === null) return null;
		deps.outbox.wake();
		return { ended, purgeAt };
	};

/**
 * Removes accounts whose grace period has ended, with everything that belongs to them. Returns
 * how many.
 */
export type PurgeAccounts = () => Promise<number>;

export interface PurgeAccountsDeps {
	readonly accounts: Accounts;
	readonly background: Background;
	readonly clock: Clock;
	readonly policy: AuthPolicy;
}

export const makePurgeAccounts =
	({ accounts, background, clock, policy }: PurgeAccountsDeps): PurgeAccounts =>
	() => {
		// An account that an old address can have back must not be removed.
		const { deletion, emailChange } = policy;
		const kept = Math.max(deletion.grace, emailChange.undoFor);
		const deletedBefore = secondsAfter(clock.now(), -kept);
		return inBatches(
			policy.prune.accounts,
			background,
			async (limit) => (await accounts.purge(deletedBefore, limit)).length
		);
	};

/** Changes a user's profile. Returns null when the account is gone. */
type UpdateProfile = (id: UserId, change: ProfileChange) => Promise<User | null>;

interface ProfileDeps {
	readonly accounts: Accounts;
	readonly clock: Clock;
}

const makeUpdateProfile =
	({ accounts, clock }: ProfileDeps): UpdateProfile =>
	(id, change) =>
		accounts.update(id, change, clock.now());

/**
 * Stores the first answer to the question for a name. Returns the account, which keeps an earlier
 * answer, or null when it is gone.
 */
type AnswerName = (id: UserId, name: Name) => Promise<User | null>;

const makeAnswerName =
	({ accounts, clock }: ProfileDeps): AnswerName =>
	(id, name) =>
		accounts.answerName(id, name, clock.now());

export const account = {
	updateProfile: makeUpdateProfile,
	answerName: makeAnswerName,
	deleteAccount: makeDeleteAccount,
	purgeAccounts: makePurgeAccounts
};
