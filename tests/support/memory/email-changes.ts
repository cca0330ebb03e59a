import type { Account } from '#lib/domain/account/ports.ts';
import type {
	EmailChange,
	ChangeResult,
	EmailChanges,
	EmailUndos
} from '#lib/domain/email-change/ports.ts';
import type { Email } from '#lib/domain/email.ts';
import type { SessionId, UserId } from '#lib/domain/ids.ts';
import { EMAIL_CHANGE_PURPOSES, type Challenge, type Purpose } from '#lib/domain/sign-in/ports.ts';
import { recordEvent } from './events.ts';
import { addMails } from './outbox.ts';
import { deleteSessionsExcept, placeDevice, revokeChanges, revokeCodes } from './sessions.ts';
import {
	atomic,
	copy,
	firstOf,
	insert,
	latestOf,
	pruneExpired,
	removeSome,
	rowsOf,
	toUser,
	type EmailUndoRow,
	type MemoryTables
} from './tables.ts';

type Rights = Pick<MemoryTables, 'emailUndos'>;

export const undoRightOf = ({ emailUndos }: Rights, email: Email, now: Date): EmailUndoRow | null =>
	firstOf(emailUndos, (row) => row.email === email && row.expiresAt > now) ?? null;

/** Removes a right of the account and all later ones. */
const endRights = ({ emailUndos }: Rights, undoRight: EmailUndoRow): void =>
	void removeSome(
		emailUndos,
		(row) => row.userId === undoRight.userId && row.depth >= undoRight.depth
	);

/** Adds a right after all others of the account. */
const addRight = (
	{ emailUndos }: Rights,
	userId: UserId,
	{ from, to }: { readonly from: Email; readonly to: Email },
	{ id, expiresAt }: Pick<EmailUndoRow, 'id' | 'expiresAt'>,
	now: Date
): void => {
	// The account held the address `from` until now, so older rights of that address are stale,
	// whatever the clock says.
	removeSome(emailUndos, (row) => row.email === from || (row.email === to && row.expiresAt <= now));
	const own = rowsOf(emailUndos, (row) => row.userId === userId);
	const depth = Math.max(0, ...own.map((row) => row.depth)) + 1;
	emailUndos.set(id, { id, userId, email: from, depth, expiresAt });
};

const accountsOf = ({ users, sessions }: MemoryTables) => ({
	isLive: (id: SessionId | null, userId: UserId, now: Date): boolean => {
		const row = id === null ? undefined : sessions.get(id);
		return row?.userId === userId && row.expiresAt > now;
	},
	/** The account, if it is active and has the address that it is to leave. */
	activeAt: (userId: UserId, from: Email): Account | undefined =>
		firstOf(users, (row) => row.id === userId && row.email === from && row.deletedAt === null)
});

export const memoryEmailChanges = (tables: MemoryTables): EmailChanges => {
	const { challenges } = tables;
	const { activeAt, isLive } = accountsOf(tables);
	return {
		request: async (challenge, { userId, from }, now, mails = []) => {
			const { id, purpose, boundTo, requestedBy, createdAt } = challenge;
			if (activeAt(userId, from) === undefined || !isLive(requestedBy, userId, now)) return;
			const isEarlier = (row: Challenge): boolean =>
				row.boundTo === boundTo && row.purpose === purpose;
			atomic(tables, () => {
				removeSome(
					challenges,
					(row) => isEarlier(row) && (row.createdAt <= createdAt || row.createdAt > now)
				);
				if (firstOf(challenges, isEarlier)) return;
				insert(challenges, id, challenge);
				addMails(tables, mails);
			});
		},

		pendingOf: async (userId, now, purpose) => {
			const isPending = (row: Challenge): boolean =>
				row.boundTo === userId && row.expiresAt > now && isLive(row.requestedBy, userId, now);
			const pending = rowsOf(challenges, isPending);
			const purposes: readonly Purpose[] = purpose ? [purpose] : EMAIL_CHANGE_PURPOSES;
			return latestOf(pending.filter((row) => purposes.includes(row.purpose)));
		},

		cancel: async (userId) => revokeChanges(tables, userId),

		complete: async (change, now) => atomic(tables, () => completeChange(tables, change, now))
	};
};

const completeChange = (
	tables: MemoryTables,
	{ challengeId, userId, from, to, keep, mailsWithoutUndo, undo, reason = to }: EmailChange,
	now: Date
): ChangeResult => {
	const { challenges, users } = tables;
	const { activeAt, isLive } = accountsOf(tables);
	const account = activeAt(userId, from);
	const challenge = challenges.get(challengeId);
	if (account === undefined || challenge?.boundTo !== userId || challenge.email !== to) {
		return null;
	}
	const isConfirmed =
		keep === null
			? challenge.purpose === 'operator_email_change'
			: isLive(keep, userId, now) && isLive(challenge.requestedBy, userId, now);
	if (!isConfirmed) return null;
	if (firstOf(users, (row) => row.email === to && row.id !== userId)) return 'email_taken';
	const undoRight = undoRightOf(tables, to, now);
	if (undoRight !== null && undoRight.userId !== userId) return 'email_taken';
	addMails(tables, undoRight === null ? undo.mailsWithUndo : mailsWithoutUndo);
	if (undoRight === null) addRight(tables, userId, { from, to }, undo, now);
	else endRights(tables, undoRight);
	challenges.delete(challengeId);
	const moved = copy({ ...account, email: to, role: null, updatedAt: now });
	users.set(userId, moved);
	revokeCodes(tables, from);
	recordEvent(tables, 'email_changed', userId, { detail: reason });
	return { user: toUser(moved), ended: deleteSessionsExcept(tables, userId, keep, 'change') };
};

export const memoryEmailUndos = (tables: MemoryTables): EmailUndos => {
	const { emailUndos, users } = tables;
	return {
		find: async (id, now) => {
			const undoRight = emailUndos.get(id);
			const account = undoRight && users.get(undoRight.userId);
			if (!undoRight || !account || undoRight.expiresAt <= now) return null;
			return copy({ id, to: undoRight.email, from: account.email, expiresAt: undoRight.expiresAt });
		},

		listOf: async (userId, now) =>
			rowsOf(emailUndos, (row) => row.userId === userId && row.expiresAt > now)
				.sort((a, b) => a.depth - b.depth)
				.map(({ email, expiresAt }) => copy({ to: email, expiresAt })),

		isReserved: async (email, now) => undoRightOf(tables, email, now) !== null,

		undo: async ({ id, from, mails, device }, now) => {
			const undoRight = emailUndos.get(id);
			const account = undoRight && users.get(undoRight.userId);
			if (!undoRight || undoRight.expiresAt <= now || account?.email !== from) return null;
			if (firstOf(users, (row) => row.email === undoRight.email) !== undefined) return null;
			return atomic(tables, () => {
				for (const email of [from, undoRight.email]) revokeCodes(tables, email);
				endRights(tables, undoRight);
				const moved = copy({ ...account, email: undoRight.email, role: null, updatedAt: now });
				users.set(moved.id, moved);
				addMails(tables, mails);
				recordEvent(tables, 'email_change_undone', moved.id, { detail: moved.email });
				const ended = deleteSessionsExcept(tables, moved.id, null, 'change');
				placeDevice(tables, moved.id, device, null, null);
				return { user: toUser(moved), ended };
			});
		},

		prune: pruneExpired(emailUndos)
	};
};
