import { signInLayouts, type SignInLayout } from '#lib/sign-in-layouts.ts';
import { rulesOf } from '../route-rules.ts';
import { AUTH_API, isUnder, withoutGroups } from '../http/paths.ts';

/**
 * The public paths of the specification, with everything under them. They decide where no rules
 * name a route: for a path that matches none, such as `/blog` from the start. A public path then
 * gets 404 instead of the redirect to the sign-in page.
 */
export const PUBLIC_PREFIXES = [
	...['/auth', '/ai', '/blog', '/checkout', '/docs', '/templates'],
	AUTH_API
];

/**
 * Whether a request is allowed without a session. If a route matched, its rules decide: a different
 * spelling of the path then gets the same result as the page it opens. Otherwise the path decides.
 */
export const isPublic = (
	routeId: string | null,
	pathname: string,
	signInLayout: SignInLayout
): boolean => {
	const { access } = rulesOf(routeId);
	if (access !== 'by-path') return access === 'public';
	const path = withoutEmptySegments(routeId === null ? pathname : withoutGroups(routeId));
	return (
		PUBLIC_PREFIXES.some((prefix) => isUnder(prefix, path)) ||
		signInLayouts[signInLayout].alsoPublic.includes(path)
	);
};

/** `//docs//x` becomes `/docs/x`. */
const withoutEmptySegments = (path: string): string =>
	`/${path
		.split('/')
		.filter((segment) => segment !== '')
		.join('/')}`;
