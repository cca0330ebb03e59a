import { eq } from 'drizzle-orm';
import { decideAction, endsAllSessions } from '#lib/domain/operators/decide-action.ts';
import type { OperatorAction, ActionResult } from '#lib/domain/operators/ports.ts';
import type { OutboxRow } from '#lib/domain/outbox.ts';
import { lockAccount } from '../account/lock-account.ts';
import { addMails } from '../delivery/outbox-rows.ts';
import { forgetDevices } from '../sessions/devices.ts';
import { recordEvent } from '../events/record-event.ts';
import { endSessionsExcept, endOne } from '../sessions/sessions.ts';
import { RollBack, type Transaction, type Work } from '../sql.ts';

export function* act(
	tx: Transaction,
	action: OperatorAction,
	now: Date,
	mails: readonly OutboxRow[]
): Work<ActionResult | RollBack<ActionResult>> {
	const { user } = tx.tables;
	const { verb, userId, session = null } = action;
	// A blocked account must look unchanged to its devices.
	const dropDevices = verb === 'block' ? null : forgetDevices;
	// First what is pending, then the account: the order of all transactions on an account.
	const ended = endsAllSessions(action)
		? yield* endSessionsExcept(tx, userId, null, dropDevices)
		: [];
	const isAccount = eq(user.id, userId);
	const account = yield* lockAccount(tx, isAccount);
	const decided = decideAction(account, action, now);
	if (typeof decided === 'string') return new RollBack(decided);
	if (decided !== null) {
		yield tx
			.update(user)
			.set({ ...decided.change, updatedAt: now })
			.where(isAccount);
		yield* addMails(tx, mails);
		yield* recordEvent(tx, decided.event, userId);
	}
	if (verb !== 'end_sessions' || session === null) return ended;
	const one = yield* endOne(tx, userId, session);
	return one === null ? new RollBack('unchanged') : [one];
}
