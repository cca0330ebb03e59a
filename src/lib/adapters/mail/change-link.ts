import type { LinkToken } from '#lib/domain/index.ts';

/** Where the link of a change of address leads. The page there judges both parts again. */
export const changeLink = (
	origin: string,
	token: LinkToken,
	callbackUrl: string | null
): string => {
	const query = new URLSearchParams({ token });
	if (callbackUrl !== null) query.set('callbackURL', callbackUrl);
	return `${origin}/auth/verify-email?${query}`;
};
