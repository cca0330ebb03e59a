import type { LinkToken } from '#lib/domain/index.ts';

/** Where the link of a change of address leads. The page there judges both parts again. */
export const changeLink = (
	origin: string,
	token: LinkToken,
	callbackUrl: string | null
): string => {
	const query = new URLSearchParams({ token });
	// Not in clear: the mail goes to somebody who has not agreed to any yet, and must carry no words
	// of whoever asked for it.
	if (callbackUrl !== null) query.set('next', Buffer.from(callbackUrl).toString('base64url'));
	return `${origin}/auth/verify-email?${query}`;
};
