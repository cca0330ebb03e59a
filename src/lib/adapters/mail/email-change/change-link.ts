import type { LinkToken } from '#lib/domain/secret.ts';

/** The link of an email change. The page it opens validates both values again. */
export const changeLink = (
	origin: string,
	token: LinkToken,
	callbackUrl: string | null
): string => {
	const query = new URLSearchParams({ token });
	// Encoded, because the recipient did not request this email and it must not show text that the
	// requester chose.
	if (callbackUrl !== null) query.set('next', Buffer.from(callbackUrl).toString('base64url'));
	return `${origin}/auth/verify-email?${query}`;
};
