import type { Account, Accounts } from '#lib/domain/account/ports.ts';
import type { Email } from '#lib/domain/email.ts';
import { forgetUserData } from './consents.ts';
import { blankEvents, recordEvent } from './events.ts';
import { addMails } from './outbox.ts';
import { deleteSessionsExcept, revokeCodes } from './sessions.ts';
import { giveBackIfBlocked } from './sign-ins.ts';
import { atomic, copy, firstOf, removeSome, rowsOf, toUser, type MemoryTables } from './tables.ts';

export const memoryAccounts = (tables: MemoryTables): Accounts => {
	const { users, challenges, emailUndos, purchases, throttle } = tables;
	const isActive = (row: Account | undefined): row is Account => row?.deletedAt === null;

	const forgetCounts = (email: Email, sentBefore: Date): void => {
		const row = throttle.get(email);
		if (row === undefined || row.sentAt.every((at) => at <= sentBefore)) throttle.delete(email);
		else throttle.set(email, { ...row, wrongCodes: 0, wrongCodeAt: null });
	};

	return {
		find: async (email) => {
			const row = firstOf(users, (row) => row.email === email);
			return row === undefined ? null : copy(row);
		},

		consumeChallenge: async (challengeId) => {
			if (giveBackIfBlocked(tables, challengeId)) return 'blocked';
			const challenge = challenges.get(challengeId);
			challenges.delete(challengeId);
			const row = firstOf(users, (row) => row.email === challenge?.email);
			return isActive(row) ? toUser(row) : null;
		},

		update: async (id, { name, image }, now) => {
			const row = users.get(id);
			if (!isActive(row)) return null;
			const updated = copy({
				...row,
				name: name ?? row.name,
				image: image === undefined ? row.image : image,
				updatedAt: now
			});
			users.set(id, updated);
			return toUser(updated);
		},

		delete: async (id, now, mails = []) =>
			atomic(tables, () => {
				const row = users.get(id);
				if (!isActive(row)) return null;
				addMails(tables, mails);
				users.set(id, copy({ ...row, deletedAt: now, role: null, updatedAt: now }));
				revokeCodes(tables, row.email);
				recordEvent(tables, 'deleted', id);
				return deleteSessionsExcept(tables, id, null);
			}),

		purge: async (deletedBefore, limit) => {
			const due = rowsOf(
				users,
				({ deletedAt }) => deletedAt !== null && deletedAt <= deletedBefore
			);
			for (const row of due.slice(0, limit)) {
				removeSome(challenges, ({ boundTo }) => boundTo === row.id);
				revokeCodes(tables, row.email);
				deleteSessionsExcept(tables, row.id, null);
				recordEvent(tables, 'purged', row.id);
				blankEvents(tables, row.id);
				forgetUserData(tables, row.id);
				removeSome(purchases, ({ userId }) => userId === row.id);
				forgetCounts(row.email, deletedBefore);
				throttle.delete(row.id);
				removeSome(emailUndos, ({ userId }) => userId === row.id);
				users.delete(row.id);
			}
			return due.slice(0, limit).map(({ id }) => id);
		}
	};
};
