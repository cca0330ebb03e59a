import type { SessionId } from '../ids.ts';
import type { AuthPolicy } from '../policy.ts';
import type { Accounts } from './accounts.ts';
import type { Background } from '../ports/background.ts';
import type { Clock } from '../ports/clock.ts';
import type { Outbox } from '../delivery/outbox.ts';
import type { Device } from '../sessions/session.ts';
import { secondsAfter } from '../time.ts';
import type { User } from './user.ts';
import { deliverOrThrow } from '../delivery/deliver.ts';

export interface DeleteAccountInput {
	readonly user: Pick<User, 'id' | 'email'>;
	readonly device: Device;
}

export interface DeletedAccount {
	/** The sessions that ended with it. */
	readonly ended: readonly SessionId[];
	/** Until when it can be restored. */
	readonly purgeAt: Date;
}

/** Deletes an account for a while, and for good later; a mail says how to restore it. Null when it was deleted already. */
export type DeleteAccount = (input: DeleteAccountInput) => Promise<DeletedAccount | null>;

export interface DeleteAccountDeps {
	readonly accounts: Accounts;
	readonly outbox: Outbox;
	readonly background: Background;
	readonly clock: Clock;
	readonly policy: AuthPolicy;
}

export const makeDeleteAccount =
	(deps: DeleteAccountDeps): DeleteAccount =>
	async ({ user, device }) => {
		const at = deps.clock.now();
		const purgeAt = secondsAfter(at, deps.policy.deletion.grace);
		const ended = await deps.accounts.delete(user.id, at);
		if (ended === null) return null;
		deps.background.run('account deleted mail', async () => {
			const mail = { kind: 'account_deleted', to: user.email, at, purgeAt, device } as const;
			await deliverOrThrow(deps.outbox, mail);
		});
		return { ended, purgeAt };
	};
