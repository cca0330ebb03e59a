import type { NewDeviceToken } from '#lib/domain/signed-links.ts';

/** The link of a notice about a new device. */
export const newDeviceLink = (origin: string, token: NewDeviceToken): string =>
	`${origin}/auth/new-device/${token}`;
