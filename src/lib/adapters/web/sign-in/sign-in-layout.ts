import type { Entry } from '#lib/view/sign-in.ts';
import type { Config } from '#lib/config.server.ts';

/** The entry page with this route, or null. */
export const entryOf = (routeId: string | null): Entry | null =>
	ENTRIES.find((entry) => routeId === `/auth/${entry}`) ?? null;

const ENTRIES: readonly Entry[] = ['sign-in', 'sign-up', 'login'];

/**
 * The path of an entry page in the configured layout. A link to a page of the other layout leads to
 * its counterpart.
 */
export const entryPath = (
	variant: Config['entry'],
	entry: Entry
): '/auth/sign-in' | '/auth/sign-up' | '/auth/login' => {
	if (variant === 'single') return '/auth/login';
	return entry === 'sign-up' ? '/auth/sign-up' : '/auth/sign-in';
};
