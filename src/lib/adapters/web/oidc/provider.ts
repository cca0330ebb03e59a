import type { IncomingMessage } from 'node:http';
import Provider, {
	errors,
	interactionPolicy,
	type Account,
	type JWK,
	type KoaContextWithOIDC
} from 'oidc-provider';
import type { OidcClientId, Ids } from '#lib/domain/ids.ts';
import type { GrantId } from '#lib/domain/oidc/ports.ts';
import { clientSecretText, OIDC } from '#lib/domain/oidc/use-cases.ts';
import type { SecretHash } from '#lib/domain/secret.ts';
import type { SignedIn } from '#lib/domain/sessions/ports.ts';
import type { User } from '#lib/domain/user.ts';
import { signInLayouts, type SignInLayout } from '#lib/sign-in-layouts.ts';
import { REDIRECT_PARAMETER, safePath } from '../http/paths.ts';
import { OIDC_PATH, ROUTES } from './provider-paths.ts';
import { inSeconds, recordAdapter, type AdapterDeps } from './record-adapter.ts';

/** The person in the browser, as just read from the store. */
export interface BrowserSession {
	readonly signedIn: SignedIn | null;
	end(): Promise<void>;
}

/** What the callbacks of the library need of a request, and what they record about it. */
export interface RequestState {
	readonly session: BrowserSession;
	/** Set if the answer is an error that a person reads. */
	refusal: { readonly status: number; readonly error: string; readonly detail: string } | null;
	/** What failed behind a `server_error`. */
	fault: unknown;
	/** A client has authenticated itself with its secret. */
	isAuthenticated: boolean;
}

export interface ProviderDeps extends AdapterDeps {
	readonly ids: Ids;
	readonly origin: string;
	readonly signInLayout: SignInLayout;
	readonly mayCallPrivateAddresses: boolean;
}

/**
 * Query parameter of a request that comes back from the sign-in page: when it asked for a new sign-in, in
 * milliseconds. A client gains nothing by changing it: it can also drop `prompt`, and `auth_time` shows
 * the truth.
 */
export const NEW_SIGN_IN_PARAMETER = 'postern_asked';

const stateOf = ({ req }: Pick<KoaContextWithOIDC, 'req'>): RequestState =>
	(req as IncomingMessage & { readonly state: RequestState }).state;

/** Turns off what the library can do and this server does not offer. */
export const makeProvider = (deps: ProviderDeps, keys: readonly JWK[]): Provider => {
	const { origin, oidcStore, oidcSecrets, clock } = deps;
	const off = { enabled: false } as const;
	const policy = interactionPolicy.base();
	// Nobody is asked for a consent, because each client is the operator's.
	policy.get('consent')?.checks.clear();
	const provider = new Provider(origin + OIDC_PATH, {
		adapter: recordAdapter(deps),
		jwks: { keys: [...keys] },
		routes: ROUTES,
		claims: {
			openid: ['sub', 'sid', 'auth_time', 'amr'],
			email: ['email', 'email_verified'],
			profile: ['name']
		},
		// The ID token also has the claims of `email` and `profile`: Apache and some proxies read only it.
		conformIdTokenClaims: false,
		responseTypes: ['code'],
		clientAuthMethods: ['client_secret_basic', 'client_secret_post', 'none'],
		pkce: { required: () => true },
		allowOmittingSingleRegisteredRedirectUri: false,
		enabledJWA: { idTokenSigningAlgValues: ['RS256', 'ES256'] },
		features: {
			devInteractions: off,
			dPoP: off,
			pushedAuthorizationRequests: off,
			resourceIndicators: off,
			revocation: {
				enabled: true,
				allowedPolicy: async (_, client, token) => token.clientId === client.clientId
			},
			backchannelLogout: { enabled: true },
			rpInitiatedLogout: { enabled: true, logoutSource: async () => undefined }
		},
		ttl: {
			AccessToken: OIDC.accessToken,
			IdToken: OIDC.idToken,
			RefreshToken: OIDC.refreshToken,
			// The adapter does not store the next two.
			Interaction: OIDC.refreshToken,
			Session: OIDC.refreshToken
		},
		rotateRefreshToken: true,
		// Also when a client revokes an access token: that person has signed out there.
		revokeGrantPolicy: () => true,
		// Tokens end with the session anyway, in the store.
		expiresWithSession: async () => false,
		// The redirect URI of a native application has the origin `null`, as the pages of a sandbox do.
		clientBasedCORS: (_, from, client) =>
			from !== 'null' && (client.redirectUris ?? []).some((uri) => new URL(uri).origin === from),
		interactions: {
			policy,
			url: ({ req }, { prompt }) => {
				const url = new URL(req.url ?? '', origin);
				const needsNewSignIn = prompt.reasons.some((reason) => reason !== 'no_session');
				if (needsNewSignIn)
					url.searchParams.set(NEW_SIGN_IN_PARAMETER, String(clock.now().getTime()));
				const target = safePath(OIDC_PATH + url.pathname + url.search, origin);
				if (target === null) throw new errors.InvalidRequest('the request is too long');
				const query = new URLSearchParams({ [REDIRECT_PARAMETER]: target });
				return `${signInLayouts[deps.signInLayout].signIn}?${query}`;
			}
		},
		findAccount: async (ctx, sub, token) => {
			const grantId = token && 'grantId' in token ? (token.grantId as GrantId) : null;
			const found = grantId
				? await oidcStore.findGrant(grantId, clock.now())
				: stateOf(ctx).session.signedIn;
			return found?.user.id === sub ? accountOf(found.user, grantId) : undefined;
		},
		loadExistingGrant: async (ctx) => {
			const { client, session, params, provider: library } = ctx.oidc;
			const { signedIn } = stateOf(ctx).session;
			if (!client || !session || !signedIn) return undefined;
			// No grant yet: the library asks for a sign-in first.
			if (ctx.oidc.promptPending('login') || session.past(Number(params?.['max_age'])))
				return undefined;
			const id = await oidcStore.openGrant({
				id: deps.ids.next() as GrantId,
				userId: signedIn.user.id,
				clientId: client.clientId as OidcClientId,
				sessionId: signedIn.session.id,
				signedInAt: clock.now()
			});
			if (id === null) throw new errors.AccessDenied('the session has ended');
			session.sidFor(client.clientId, id);
			return library.Grant.find(id);
		},
		renderError: async (ctx, { error, error_description: detail = '' }) => {
			stateOf(ctx).refusal = { status: ctx.status, error, detail };
		},
		// The dispatcher of the library refuses addresses that are not public.
		...(deps.mayCallPrivateAddresses && {
			fetch: (url, options) => fetch(url, { ...options, dispatcher: undefined } as RequestInit)
		})
	});

	provider.on('server_error', (ctx, fault) => (stateOf(ctx).fault = fault));
	provider.Client.prototype.compareClientSecret = async function (actual) {
		const id = this.clientId as OidcClientId;
		const stored = this.clientSecret as SecretHash;
		const hashes = oidcSecrets.hashes(clientSecretText(id, actual));
		const match = hashes.indexOf(stored);
		// The key of the hash is being replaced, and only now the secret is known.
		if (match > 0) await oidcStore.rehashSecret(id, stored, hashes[0]);
		if (Provider.ctx) stateOf(Provider.ctx).isAuthenticated = match !== -1;
		return match !== -1;
	};
	// The library's session is the browser's session with this site. So it ends with that, and it never
	// belongs to another account.
	provider.Session.get = async (ctx) => {
		const session = new provider.Session();
		const { signedIn } = stateOf(ctx).session;
		if (signedIn !== null) {
			const loginTs = inSeconds(signedIn.session.createdAt);
			session.loginAccount({ accountId: signedIn.user.id, loginTs, amr: ['otp'] });
		}
		(ctx as KoaContextWithOIDC).oidc.entity('Session', session);
		return session;
	};
	provider.use(async (ctx: KoaContextWithOIDC, next) => {
		await next();
		if (ctx.oidc?.route === 'end_session' && ctx.status === 200)
			await endSessionByIdToken(ctx, deps);
		// Other modes need pages of the library's.
		if (ctx.oidc?.route === 'discovery') {
			Object.assign(ctx.body as object, { response_modes_supported: ['query'] });
		}
	});
	return provider;
};

/** ID tokens have more claims than the answers of userinfo. `sid` names the grant. */
const accountOf = (user: User, grantId: GrantId | null): Account => ({
	accountId: user.id,
	claims: async (use) => ({
		sub: user.id,
		email: user.email,
		email_verified: user.emailVerified,
		...(user.name !== '' && { name: user.name }),
		...(use === 'id_token' && { sid: grantId })
	})
});

/**
 * Ends the session when its own ID token comes with the request. Otherwise the person decides, on the
 * page that signs out. The library would ask on a page of its own.
 */
const endSessionByIdToken = async (
	ctx: KoaContextWithOIDC,
	{ oidcStore, clock, origin }: ProviderDeps
): Promise<void> => {
	const { signedIn, end } = stateOf(ctx).session;
	const { params, entities } = ctx.oidc;
	const { post_logout_redirect_uri: back, state: passed } = params as Record<string, string>;
	const target = new URL(back ?? origin);
	if (back && passed) target.searchParams.set('state', passed);
	const sid = entities.IdTokenHint?.payload['sid'] as GrantId | undefined;
	const grant = sid ? await oidcStore.findGrant(sid, clock.now()) : null;
	ctx.status = 303;
	if (signedIn === null) return ctx.redirect(target.href);
	if (grant?.sessionId !== signedIn.session.id) return ctx.redirect(`${origin}/auth/sign-out`);
	await end();
	ctx.redirect(target.href);
};
