import {
	ACCESS_PURPOSES,
	EMAIL_CHANGE_PURPOSES,
	type Challenge,
	type Purpose
} from '#lib/domain/sign-in/challenge.ts';
import type { Email } from '#lib/domain/email.ts';
import type { SessionId, UserId } from '#lib/domain/ids.ts';
import type { EndedSession } from '#lib/domain/sessions/invalidation.ts';
import type { MemoryTables } from '../tables.ts';

const isOneOf = (purposes: readonly Purpose[], { purpose }: Challenge): boolean =>
	purposes.includes(purpose);

/** Revokes every code for an address, and the restore grants of its account. */
export const revokeCodes = ({ challenges }: MemoryTables, email: Email): void => {
	for (const row of [...challenges.values()]) {
		if (row.email === email && isOneOf(ACCESS_PURPOSES, row)) challenges.delete(row.id);
	}
};

export const isChangeOf = (userId: UserId, row: Challenge): boolean =>
	row.boundTo === userId && isOneOf(EMAIL_CHANGE_PURPOSES, row);

/** Revokes an account's pending email changes. */
export const revokeChanges = ({ challenges }: MemoryTables, userId: UserId): void => {
	for (const row of [...challenges.values()]) {
		if (isChangeOf(userId, row)) challenges.delete(row.id);
	}
};

/** Revokes everything that a session requested. */
export const revokeRequestsOf = ({ challenges }: MemoryTables, id: SessionId): void => {
	for (const row of [...challenges.values()]) {
		if (row.requestedBy === id) challenges.delete(row.id);
	}
};

/** Ends a session and revokes everything that it requested, like the cascade of the databases. */
export const endSession = (tables: MemoryTables, id: SessionId): EndedSession => {
	tables.sessions.delete(id);
	revokeRequestsOf(tables, id);
	return id as EndedSession;
};

/**
 * Ends the sessions of an account except `keep`, revokes everything that any of them requested, and
 * forgets the account's devices except that of `keep`.
 */
export const endSessions = (
	tables: MemoryTables,
	userId: UserId,
	keep: SessionId | null
): readonly EndedSession[] => {
	const ended = [...tables.sessions.values()]
		.filter((row) => row.userId === userId && row.id !== keep)
		.map(({ id }) => endSession(tables, id));
	if (keep !== null) revokeRequestsOf(tables, keep);
	const kept = keep === null ? null : tables.sessions.get(keep)?.deviceId;
	for (const row of [...tables.devices.values()]) {
		if (row.userId === userId && row.id !== kept) tables.devices.delete(row.id);
	}
	return ended;
};
