import { WAYS_IN, WAYS_TO_MOVE, type Challenge, type Purpose } from '#lib/domain/challenge.ts';
import type { Email } from '#lib/domain/email.ts';
import type { SessionId, UserId } from '#lib/domain/ids.ts';
import type { MemoryTables } from './tables.ts';

const isOneOf = (purposes: readonly Purpose[], { purpose }: Challenge): boolean =>
	purposes.includes(purpose);

/** Voids every code for an address, leaves to restore its account included. */
export const voidCodes = ({ challenges }: MemoryTables, email: Email): void => {
	for (const row of [...challenges.values()]) {
		if (row.email === email && isOneOf(WAYS_IN, row)) challenges.delete(row.id);
	}
};

export const isChangeOf = (userId: UserId, row: Challenge): boolean =>
	row.boundTo === userId && isOneOf(WAYS_TO_MOVE, row);

/** Voids an account's changes of address under way. */
export const voidChanges = ({ challenges }: MemoryTables, userId: UserId): void => {
	for (const row of [...challenges.values()]) {
		if (isChangeOf(userId, row)) challenges.delete(row.id);
	}
};

/** Ends the sessions of an account, except `keep`. */
export const endSessions = (
	{ sessions }: MemoryTables,
	userId: UserId,
	keep: SessionId | null
): readonly SessionId[] => {
	const ended = [...sessions.values()]
		.filter((row) => row.userId === userId && row.id !== keep)
		.map((row) => row.id);
	for (const id of ended) sessions.delete(id);
	return ended;
};
