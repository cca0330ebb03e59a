import {
	allowInsecureRequests,
	authorizationCodeGrant,
	buildAuthorizationUrl,
	calculatePKCECodeChallenge,
	discovery,
	enableNonRepudiationChecks,
	None,
	ClientSecretBasic,
	randomNonce,
	randomPKCECodeVerifier,
	randomState,
	type Configuration
} from 'openid-client';
import type { OidcClient } from '#lib/domain/oidc/ports.ts';
import type { OidcClientId } from '#lib/domain/ids.ts';
import type { BuiltServer } from '../process/built-server.ts';
import { enterOnPage } from './account.ts';
import { openBrowser, type Browser } from './browser.ts';
import { newAddress, type Answer } from './client.ts';
import { present } from './fixtures.ts';
import { withOwnApp } from './own-app.ts';

export const REDIRECT = 'https://app.example.org/callback';

/** An application, as its own code sees the provider. */
export interface Application {
	readonly id: OidcClientId;
	readonly secret: string | null;
	readonly config: Configuration;
}

interface Registration {
	readonly name?: string;
	readonly redirects?: readonly string[];
	readonly afterLogout?: readonly string[];
	readonly logout?: string;
	readonly algorithm?: OidcClient['algorithm'];
	readonly isPublic?: boolean;
}

/** Registers an application, and discovers the provider. */
export const addApplication = async (
	server: BuiltServer,
	{
		name = 'Grafana',
		redirects = [REDIRECT],
		afterLogout = [],
		logout,
		algorithm = 'RS256',
		isPublic = false
	}: Registration = {}
): Promise<Application> => {
	const { id, secret } = await withOwnApp(server, (app) =>
		app.addOidcClient({
			name,
			algorithm,
			isPublic,
			isNative: isPublic && !redirects.includes(REDIRECT),
			redirectUris: redirects.join(' '),
			logoutUri: logout ?? null,
			afterLogoutUris: afterLogout.join(' ')
		})
	);
	const config = await discovery(
		new URL(`${server.address}/oidc`),
		id,
		{ id_token_signed_response_alg: algorithm },
		secret === null ? None() : ClientSecretBasic(secret),
		// Otherwise it trusts the connection, and checks no signature.
		{ execute: [allowInsecureRequests, enableNonRepudiationChecks] }
	);
	return { id, secret, config };
};

/** An authorization request, with what the application remembers about it. */
interface Authorization {
	/** Path and query at the provider. */
	readonly path: string;
	readonly state: string;
	readonly nonce: string;
	readonly verifier: string;
}

export const authorize = async (
	{ config }: Application,
	parameters: Readonly<Record<string, string>> = {}
): Promise<Authorization> => {
	const [state, nonce, verifier] = [randomState(), randomNonce(), randomPKCECodeVerifier()];
	const url = buildAuthorizationUrl(config, {
		redirect_uri: REDIRECT,
		scope: 'openid email profile offline_access',
		code_challenge: await calculatePKCECodeChallenge(verifier),
		code_challenge_method: 'S256',
		state,
		nonce,
		...parameters
	});
	return { path: url.pathname + url.search, state, nonce, verifier };
};

/** Follows redirects of the site itself. The result is a page, or a redirect to another site. */
export const follow = async (browser: Browser, path: string): Promise<Answer> => {
	let answer = await browser.open(path);
	for (let hops = 0; hops < 10; hops += 1) {
		const { location } = answer.headers;
		if (location === undefined || !/^\/|\/oidc\/auth\?|\/auth\/sign-/.test(location)) return answer;
		const { pathname, search } = new URL(location, 'http://127.0.0.1');
		answer = await browser.open(pathname + search);
	}
	throw new Error('redirected in a circle');
};

/** Where the provider sends the browser: back to the application. */
export const back = ({ headers }: Answer): URL => new URL(present(headers.location));

/** A browser with a session, and its person. */
export const signedInBrowser = async (
	server: BuiltServer
): Promise<{ readonly browser: Browser; readonly email: string }> => {
	const browser = openBrowser(server);
	const email = newAddress();
	await enterOnPage(server, browser, email);
	return { browser, email };
};

/** An authorization request, and where it led the browser. */
interface Flow {
	readonly request: Authorization;
	readonly url: URL;
}

export const flowIn = async (
	browser: Browser,
	app: Application,
	parameters = {}
): Promise<Flow> => {
	const request = await authorize(app, parameters);
	return { request, url: back(await follow(browser, request.path)) };
};

/** A flow of a new person with a session. */
export const aFlow = async (server: BuiltServer, app: Application, parameters = {}) => {
	const person = await signedInBrowser(server);
	return { ...person, ...(await flowIn(person.browser, app, parameters)) };
};

/** Exchanges a code for tokens, as an application does. */
export const exchange = ({ config }: Application, { request, url }: Flow, changes = {}) =>
	authorizationCodeGrant(config, url, {
		expectedState: request.state,
		expectedNonce: request.nonce,
		pkceCodeVerifier: request.verifier,
		idTokenExpected: true,
		...changes
	});
