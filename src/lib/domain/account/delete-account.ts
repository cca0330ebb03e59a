import type { SessionId } from '../ids.ts';
import type { AuthPolicy } from '../policy.ts';
import type { Accounts } from './accounts.ts';
import type { Clock } from '../clock.ts';
import type { AnyMail, RequestDetails } from '../delivery/mailer.ts';
import type { OutboxOf } from '../delivery/outbox.ts';
import type { Device } from '../sessions/session.ts';
import { secondsAfter } from '../time.ts';
import type { User } from './user.ts';

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

/** Says how to restore the account. */
export interface AccountDeletedMail extends AnyMail, RequestDetails {
	readonly kind: 'account_deleted';
	/** The account can be restored until this time. */
	readonly purgeAt: Date;
}

export interface DeleteAccountDeps {
	readonly accounts: Accounts;
	readonly outbox: OutboxOf<AccountDeletedMail>;
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
