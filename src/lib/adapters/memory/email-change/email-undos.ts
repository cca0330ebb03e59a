import type { EmailUndos } from '#lib/domain/email-change/email-undos.ts';
import { changedUser } from '#lib/domain/sessions/invalidation.ts';
import { addEmails, checkEmails } from '../delivery/outbox-rows.ts';
import { placeDevice } from '../devices/place-device.ts';
import { toUser } from '../rows.ts';
import { endSessions, revokeCodes } from '../sessions/revocation.ts';
import { copy, firstOf, removeSome, type MemoryTables } from '../tables.ts';
import { endRights, rightOf } from './undo-rights.ts';

export const memoryEmailUndos = (tables: MemoryTables): EmailUndos => {
	const { emailUndos, users } = tables;
	return {
		find: async (id, now) => {
			const right = emailUndos.get(id);
			const account = right && users.get(right.userId);
			if (!right || !account || right.expiresAt <= now) return null;
			return copy({ id, to: right.email, from: account.email, expiresAt: right.expiresAt });
		},

		isReserved: async (email, now) => rightOf(tables, email, now) !== null,

		undo: async ({ id, from, emails, device }, now) => {
			const right = emailUndos.get(id);
			const account = right && users.get(right.userId);
			if (!right || right.expiresAt <= now || account?.email !== from) return null;
			if (firstOf(users, (row) => row.email === right.email) !== undefined) return null;
			checkEmails(tables, emails);
			for (const email of [from, right.email]) revokeCodes(tables, email);
			endRights(tables, right);
			const moved = copy({ ...account, email: right.email, updatedAt: now });
			users.set(moved.id, moved);
			addEmails(tables, emails);
			const ended = endSessions(tables, moved.id, null);
			placeDevice(tables, moved.id, device, null);
			return { user: changedUser(toUser(moved)), ended };
		},

		prune: async (now, limit) => removeSome(emailUndos, (row) => row.expiresAt <= now, limit)
	};
};
