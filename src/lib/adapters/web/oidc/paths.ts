/** Where the provider is. Also the path of its issuer. */
export const OIDC_PATH = '/oidc';

export const ROUTES = {
	authorization: '/auth',
	jwks: '/jwks',
	token: '/token',
	userinfo: '/userinfo',
	revocation: '/revoke',
	end_session: '/logout'
} as const;

const RESUME = /^\/auth\/[\w-]{43}$/;

const KNOWN: readonly string[] = [
	...Object.values(ROUTES),
	'/.well-known/openid-configuration',
	'/.well-known/oauth-authorization-server'
];

/**
 * Whether the provider answers this path below its own. The library also accepts other spellings, and
 * pages of its own that nothing here leads to.
 */
export const isProviderPath = (path: string): boolean => KNOWN.includes(path) || RESUME.test(path);

/** The id in a path below the provider's that resumes an authorization request. */
export const resumedId = (path: string): string | null =>
	RESUME.test(path) ? path.slice(ROUTES.authorization.length + 1) : null;
