import type { UndoToken } from '#lib/domain/signed-links.ts';

/** The link that undoes an email change. */
export const undoLink = (origin: string, token: UndoToken): string =>
	`${origin}/auth/undo-email-change/${token}`;
