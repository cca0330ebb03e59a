import type { NewDeviceToken, UndoToken } from '#lib/domain/signed-links.ts';

// The pages that links in emails open. The route of each has the same path.

export const undoPath = (token: UndoToken): string => `/auth/undo-email-change/${token}`;

export const newDevicePath = (token: NewDeviceToken): string => `/auth/new-device/${token}`;

export const verifyEmailPath = (query: URLSearchParams): string => `/auth/verify-email?${query}`;

export const unsubscribePath = (token: string): string =>
	`/unsubscribe/${encodeURIComponent(token)}`;

/** Email programs send a POST to it (RFC 8058). */
export const oneClickUnsubscribePath = (token: string): string => `/api/unsubscribe/${token}`;
