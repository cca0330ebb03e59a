import type { IncomingMessage } from 'node:http';
import Provider, {
	errors,
	interactionPolicy,
	type Account,
	type Configuration,
	type JWK,
	type KoaContextWithOIDC
} from 'oidc-provider';
import type { GrantId, NewGrant, OidcClient } from '#lib/domain/oidc/ports.ts';
import { OIDC } from '#lib/domain/oidc/use-cases.ts';
import type { SignedIn } from '#lib/domain/sessions/ports.ts';
import type { User } from '#lib/domain/user.ts';
import { OIDC_PATH, ROUTES } from './paths.ts';
import {
	epoch,
	recordAdapter,
	SCOPES,
	type AdapterDeps,
	type FindClient
} from './record-adapter.ts';
import type { ProviderAnswer, ProviderRequest } from './service.ts';

/** One request, for the callbacks of the library. */
export type RequestState = Pick<ProviderRequest, 'session'> & {
	-readonly [Name in Exclude<keyof ProviderAnswer, 'response'>]: ProviderAnswer[Name];
};

export interface ProviderDeps extends AdapterDeps {
	readonly origin: string;
	readonly secure: boolean;
	readonly signInPath: string;
	readonly keys: readonly JWK[];
	readonly findClient: FindClient;
	readonly isSecretOf: (client: OidcClient, secret: string) => Promise<boolean>;
	readonly newGrantId: () => GrantId;
	readonly stateOf: (request: IncomingMessage) => RequestState;
	readonly fetch: NonNullable<Configuration['fetch']>;
}

const seconds = (instant: Date): number => Math.floor(epoch(instant));

/** Everything that the library can do and that is not named here is off. */
export const makeProvider = (deps: ProviderDeps): Provider => {
	const { origin, stateOf, oidcStore, clock, findClient } = deps;
	const cookie = { httpOnly: true, sameSite: 'lax', signed: false } as const;
	const off = { enabled: false } as const;
	const provider = new Provider(origin + OIDC_PATH, {
		adapter: recordAdapter(deps, findClient),
		jwks: { keys: [...deps.keys] },
		routes: ROUTES,
		scopes: [...SCOPES],
		claims: {
			openid: ['sub', 'sid', 'auth_time', 'amr'],
			email: ['email', 'email_verified'],
			profile: ['name']
		},
		conformIdTokenClaims: false,
		responseTypes: ['code'],
		clientAuthMethods: ['client_secret_basic', 'client_secret_post', 'none'],
		pkce: { required: () => true },
		allowOmittingSingleRegisteredRedirectUri: false,
		enabledJWA: { idTokenSigningAlgValues: ['RS256', 'ES256'] },
		cookies: {
			names: { session: 'oidc_session', interaction: 'oidc_sign_in', resume: resumeCookie(deps) },
			long: cookie,
			short: cookie
		},
		features: {
			devInteractions: off,
			dPoP: off,
			pushedAuthorizationRequests: off,
			resourceIndicators: off,
			userinfo: { enabled: true },
			revocation: { enabled: true },
			backchannelLogout: { enabled: true },
			rpInitiatedLogout: { enabled: true, logoutSource: async () => undefined }
		},
		ttl: {
			AccessToken: OIDC.accessToken,
			AuthorizationCode: OIDC.code,
			IdToken: OIDC.idToken,
			Interaction: OIDC.interaction,
			RefreshToken: OIDC.refreshToken,
			Grant: OIDC.refreshToken,
			Session: OIDC.refreshToken
		},
		rotateRefreshToken: true,
		issueRefreshToken: async (_, __, source) => source.scopes.has('offline_access'),
		// Tokens end with the session anyway, in the store.
		expiresWithSession: async () => false,
		clientBasedCORS: (_, from, client) =>
			(client.redirectUris ?? []).some((uri) => new URL(uri).origin === from),
		interactions: {
			policy: signInPolicy(deps),
			url: (_, { uid }) => {
				const target = `${OIDC_PATH}${ROUTES.authorization}/${uid}`;
				return `${deps.signInPath}?${new URLSearchParams({ redirectTo: target })}`;
			}
		},
		findAccount: async ({ req }, sub, token) => {
			const grantId = token && 'grantId' in token ? token.grantId : undefined;
			const user =
				grantId === undefined
					? (await stateOf(req).session())?.user
					: (await oidcStore.findGrant(grantId as GrantId, clock.now()))?.user;
			return user?.id === sub ? accountOf(user, grantId) : undefined;
		},
		loadExistingGrant: async (ctx) => {
			const signedIn = await stateOf(ctx.req).session();
			const { client, session } = ctx.oidc;
			// Such a request gets no code yet. The library only needs an object.
			if (!client || !session || !signedIn || !isNewEnough(ctx, signedIn, clock.now()))
				return undefined;
			const id = await oidcStore.openGrant({
				id: deps.newGrantId(),
				userId: signedIn.user.id,
				clientId: client.clientId as NewGrant['clientId'],
				sessionId: signedIn.session.id,
				signedInAt: clock.now()
			});
			if (id === null) throw new errors.AccessDenied('the session has ended');
			session.sidFor(client.clientId, id);
			const grant = new ctx.oidc.provider.Grant({
				...{ accountId: signedIn.user.id, clientId: client.clientId, jti: id }
			});
			grant.addOIDCScope(SCOPES.join(' '));
			return grant;
		},
		renderError: async ({ req, status }, { error, error_description: detail = '' }) => {
			stateOf(req).refusal = { status, error, detail };
		},
		fetch: deps.fetch
	});

	provider.on('server_error', ({ req }, fault) => (stateOf(req).fault = fault));
	provider.Client.prototype.compareClientSecret = async function (actual) {
		const client = await findClient(this.clientId);
		return client !== undefined && deps.isSecretOf(client, actual);
	};
	useOwnSessions(provider, stateOf);
	provider.use(async (ctx: KoaContextWithOIDC, next) => {
		await next();
		if (ctx.oidc?.route === 'end_session') await endSession(ctx, deps);
		// Other modes need pages of the library's.
		if (ctx.oidc?.route === 'discovery') {
			Object.assign(ctx.body as object, { response_modes_supported: ['query'] });
		}
	});
	return provider;
};

/** The only cookie of the library that reaches the browser, for the path of one request. */
export const resumeCookie = ({ secure }: Pick<ProviderDeps, 'secure'>): string =>
	`${secure ? '__Secure-' : ''}postern_oidc`;

/** ID tokens have more claims than the answers of userinfo. `sid` names the grant. */
const accountOf = (user: User, grantId: string | undefined): Account => ({
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
 * The library's session is the browser's session with this site, which was just read from the store.
 * So it ends with that, and it never belongs to another account. It has no `uid`: the library would
 * refuse a sign-in that replaced the session.
 */
const useOwnSessions = (
	provider: Provider,
	stateOf: (request: IncomingMessage) => RequestState
): void => {
	provider.Session.get = async (ctx) => {
		const signedIn = await stateOf(ctx.req).session();
		const session = new provider.Session();
		if (signedIn !== null) {
			const { user, session: own } = signedIn;
			const loginTs = seconds(own.createdAt);
			Object.assign(session, { jti: own.id, accountId: user.id, loginTs, amr: ['otp'] });
		}
		session.uid = '';
		(ctx as KoaContextWithOIDC).oidc.entity('Session', session);
		return session;
	};
};

/**
 * Whether this session is enough for the request. If an earlier session was not, the request waits for a
 * sign-in that is newer than the request itself.
 */
export const isSatisfied = (
	waiting: { readonly iat: number; readonly reasons: readonly string[] } | null,
	{ session }: Pick<SignedIn, 'session'>
): boolean =>
	waiting === null ||
	waiting.reasons.every((reason) => reason === 'no_session') ||
	epoch(session.createdAt) >= waiting.iat;

const isNewEnough = (
	{ oidc }: KoaContextWithOIDC,
	signedIn: Pick<SignedIn, 'session'> | null,
	now: Date
): boolean => {
	const { max_age: maxAge } = oidc.params ?? {};
	if (signedIn === null) return !oidc.prompts.has('login') && maxAge === undefined;
	const waiting = oidc.entities.Interaction;
	if (waiting !== undefined) {
		const { iat, prompt } = waiting;
		return isSatisfied({ iat, reasons: prompt.reasons }, signedIn);
	}
	const { createdAt } = signedIn.session;
	const isOld = maxAge !== undefined && epoch(now) - seconds(createdAt) > Number(maxAge);
	return !oidc.prompts.has('login') && !isOld;
};

/** Only sign-in is asked for. Nobody is asked for a consent, because each client is the operator's. */
const signInPolicy = ({ stateOf, clock }: ProviderDeps) => {
	const policy = interactionPolicy.base();
	policy.get('consent')?.checks.clear();
	const login = policy.get('login');
	login?.checks.remove('login_prompt');
	login?.checks.remove('max_age');
	login?.checks.add(
		new interactionPolicy.Check(
			'new_sign_in',
			'a new sign-in is required',
			'login_required',
			async (ctx) => !isNewEnough(ctx, await stateOf(ctx.req).session(), clock.now())
		)
	);
	return policy;
};

/**
 * Ends the session when its own ID token comes with the request. Otherwise the person decides, on the
 * page that signs out. The library would ask on a page of its own.
 */
const endSession = async (
	ctx: KoaContextWithOIDC,
	{ stateOf, oidcStore, clock, origin }: ProviderDeps
): Promise<void> => {
	if (ctx.status !== 200) return;
	const state = stateOf(ctx.req);
	const { params = {}, entities } = ctx.oidc;
	const { post_logout_redirect_uri: back, state: passed } = params;
	const target = new URL(typeof back === 'string' ? back : `${origin}/`);
	if (typeof back === 'string' && typeof passed === 'string') {
		target.searchParams.set('state', passed);
	}
	const signedIn = await state.session();
	const sid = entities.IdTokenHint?.payload['sid'];
	const grant =
		typeof sid === 'string' ? await oidcStore.findGrant(sid as GrantId, clock.now()) : null;
	ctx.body = null;
	ctx.status = 303;
	if (signedIn === null) return ctx.redirect(target.href);
	if (grant?.sessionId !== signedIn.session.id) return ctx.redirect(`${origin}/auth/sign-out`);
	state.endsSession = true;
	ctx.redirect(target.href);
};
