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

/**
 * What the provider answers below its own path. The library also accepts other spellings, and has pages
 * of its own, which this server does not use.
 */
export const KNOWN_PATHS: readonly string[] = [
	...Object.values(ROUTES),
	'/.well-known/openid-configuration',
	'/.well-known/oauth-authorization-server'
];
