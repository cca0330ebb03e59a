import type { Account } from '../account/ports.ts';
import type { EventKind } from '../events/ports.ts';
import type { ActionResult, OperatorAction } from './ports.ts';

type AccountChange = Partial<Pick<Account, 'blockedAt' | 'deletedAt' | 'role'>>;

/** Whether an action ends every session of the account, not only one. */
export const endsAllSessions = ({ verb, session = null }: OperatorAction): boolean =>
	verb === 'block' || verb === 'delete' || (verb === 'end_sessions' && session === null);

/**
 * Decides about an action while its account is locked: why nothing is done, or what changes in the
 * account with its event. Ending sessions changes nothing in it.
 */
export const decideAction = (
	account: Account | undefined,
	{ verb, allowsOperators, email }: OperatorAction,
	now: Date
):
	| Exclude<ActionResult, readonly unknown[]>
	| { readonly change: AccountChange; readonly event: EventKind }
	| null => {
	if (account === undefined || (email !== undefined && account.email !== email)) return 'gone';
	const { role, deletedAt, blockedAt } = account;
	if (role !== null && !allowsOperators) return 'is_operator';
	switch (verb) {
		case 'end_sessions':
			return null;
		case 'block':
			if (blockedAt !== null) return 'unchanged';
			return { change: { blockedAt: now }, event: 'blocked' };
		case 'unblock':
			if (blockedAt === null) return 'unchanged';
			return { change: { blockedAt: null }, event: 'unblocked' };
		case 'delete':
			if (deletedAt !== null) return 'unchanged';
			return { change: { deletedAt: now, role: null }, event: 'deleted' };
		case 'restore':
			if (deletedAt === null) return 'unchanged';
			return { change: { deletedAt: null }, event: 'restored' };
		case 'grant':
			if (deletedAt !== null) return 'gone';
			if (role !== null) return 'unchanged';
			return { change: { role: 'operator' }, event: 'role_granted' };
		case 'revoke':
			if (deletedAt !== null) return 'gone';
			if (role === null) return 'unchanged';
			return { change: { role: null }, event: 'role_revoked' };
	}
};
