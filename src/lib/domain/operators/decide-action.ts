import type { Account } from '../account/ports.ts';
import type { EventKind } from '../events/ports.ts';
import type { ActionResult, OperatorAction } from './ports.ts';

/** What changes in the account, and its event. */
interface Decided {
	readonly change: Partial<Pick<Account, 'blockedAt' | 'deletedAt' | 'role'>>;
	readonly event: EventKind;
}

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
): Exclude<ActionResult, readonly unknown[]> | Decided | null => {
	if (account === undefined || (email !== undefined && account.email !== email)) return 'gone';
	const { role, deletedAt, blockedAt } = account;
	if (role !== null && !allowsOperators) return 'is_operator';
	if (verb === 'end_sessions') return null;
	if (deletedAt !== null && (verb === 'grant' || verb === 'revoke')) return 'gone';
	const decided: Record<typeof verb, Decided & { readonly isDue: boolean }> = {
		block: { isDue: blockedAt === null, change: { blockedAt: now }, event: 'blocked' },
		unblock: { isDue: blockedAt !== null, change: { blockedAt: null }, event: 'unblocked' },
		delete: { isDue: !deletedAt, change: { deletedAt: now, role: null }, event: 'deleted' },
		restore: { isDue: deletedAt !== null, change: { deletedAt: null }, event: 'restored' },
		grant: { isDue: role === null, change: { role: 'operator' }, event: 'role_granted' },
		revoke: { isDue: role !== null, change: { role: null }, event: 'role_revoked' }
	};
	return decided[verb].isDue ? decided[verb] : 'unchanged';
};
