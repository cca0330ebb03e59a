import { eq } from 'drizzle-orm';
import type { OperatorAction, ActionResult } from '#lib/domain/operators/ports.ts';
import type { OutboxRow } from '#lib/domain/outbox.ts';
import { lockAccount } from '../account/lock-account.ts';
import { addMails } from '../delivery/outbox-rows.ts';
import { forgetDevices } from '../devices/devices.ts';
import { recordEvent } from '../events/record-event.ts';
import { endAllExcept, endOne } from '../sessions/sessions.ts';
import { RollBack, type Transaction, type Work } from '../sql.ts';

export function* act(
	tx: Transaction,
	{ verb, userId, mayBeOperator, email, session = null }: OperatorAction,
	now: Date,
	mails: readonly OutboxRow[]
): Work<ActionResult | RollBack<ActionResult>> {
	const { user } = tx.tables;
	// First what is pending, then the account: the order of all transactions on an account.
	const endsAll = verb === 'block' || verb === 'delete' || (verb === 'end_sessions' && !session);
	// A blocked account must look unchanged to its devices.
	const dropDevices = verb === 'block' ? null : forgetDevices;
	const ended = endsAll ? yield* endAllExcept(tx, userId, null, dropDevices) : [];
	const isAccount = eq(user.id, userId);
	const account = yield* lockAccount(tx, isAccount);
	const hasMoved = email !== undefined && account?.email !== email;
	if (account === undefined || hasMoved) return new RollBack('gone');
	if (account.role !== null && !mayBeOperator) return new RollBack('is_operator');
	if (verb === 'end_sessions') {
		if (session === null) return ended;
		const one = yield* endOne(tx, userId, session);
		return one === null ? new RollBack('unchanged') : [one];
	}

	const [column, value, event] = (
		{
			block: ['blockedAt', now, 'blocked'],
			unblock: ['blockedAt', null, 'unblocked'],
			delete: ['deletedAt', now, 'deleted'],
			restore: ['deletedAt', null, 'restored'],
			grant: ['role', 'operator', 'role_granted'],
			revoke: ['role', null, 'role_revoked']
		} as const
	)[verb];
	if (column === 'role' && account.deletedAt !== null) return new RollBack('gone');
	const isAlreadySo = (account[column] === null) === (value === null);
	if (isAlreadySo) return new RollBack('unchanged');
	yield tx
		.update(user)
		.set({ ...(verb === 'delete' && { role: null }), [column]: value, updatedAt: now })
		.where(isAccount);
	yield* addMails(tx, mails);
	yield* recordEvent(tx, event, userId);
	return ended;
}
