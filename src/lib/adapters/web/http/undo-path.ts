import type { UndoToken } from '#lib/domain/signed-links.ts';

/** The page of a link that undoes an email change. */
export const undoPath = (token: UndoToken): string => `/auth/undo-email-change/${token}`;
