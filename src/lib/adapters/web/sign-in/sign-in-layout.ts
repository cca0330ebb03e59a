import type { Entry } from '#lib/view/sign-in.ts';
import type { Config } from '#lib/config.server.ts';

/** The entry whose page has this route; null for all other routes. */
export const entryOf = (routeId: string | null): Entry | null =>
	ENTRIES.find((entry) => routeId === `/auth/${entry}`) ?? null;

const ENTRIES: readonly Entry[] = ['sign-in', 'sign-up', 'login'];

/** Where an entry is found: the two of the split variant and the one of the other lead to each other. */
export const entryPath = (
	variant: Config['entry'],
	entry: Entry
): '/auth/sign-in' | '/auth/sign-up' | '/auth/login' => {
	if (variant === 'single') return '/auth/login';
	return entry === 'sign-up' ? '/auth/sign-up' : '/auth/sign-in';
};
