import type { IncomingMessage, ServerResponse } from 'node:http';
import type Provider from 'oidc-provider';
import type { JWK } from 'oidc-provider';
import { fetchNodeHandler } from 'srvx/node';
import { addSigningKeys, keyContext, OIDC } from '#lib/domain/oidc/use-cases.ts';
import type { Session } from '#lib/domain/sessions/ports.ts';
import { secondsAfter } from '#lib/domain/time.ts';
import { logoutWorker, type LogoutClient, type WorkerDeps } from './logout-worker.ts';
import { OIDC_PATH, ROUTES } from './provider-paths.ts';
import {
	NEW_SIGN_IN_PARAMETER,
	makeProvider,
	type BrowserSession,
	type ProviderDeps,
	type RequestState
} from './provider.ts';

interface OidcDeps extends ProviderDeps, Pick<WorkerDeps, 'after' | 'log'> {
	readonly secure: boolean;
}

export type OidcService = ReturnType<typeof openOidc>;

export const openOidc = (deps: OidcDeps) => {
	const { origin, secure, clock } = deps;
	let opened: { provider: Provider; keyIds: string; readAt: Date } | null = null;

	/** Reads the keys again after a while, and makes a new provider if they have changed. */
	const currentProvider = async (): Promise<Provider> => {
		const now = clock.now();
		if (opened !== null && now < secondsAfter(opened.readAt, OIDC.reread)) return opened.provider;
		const keys = await readKeys(deps);
		const keyIds = keys.map(({ kid }) => kid).join();
		const provider = opened?.keyIds === keyIds ? opened.provider : makeProvider(deps, keys);
		opened = { provider, keyIds, readAt: now };
		return provider;
	};

	const worker = logoutWorker({
		...deps,
		clientOf: async (id) =>
			(await currentProvider()).Client.find(id) as Promise<LogoutClient | undefined>
	});

	return {
		/** Answers a request. Also returns what the callbacks of the library recorded about it. */
		handle: async (request: Request, session: BrowserSession) => {
			const provider = await currentProvider();
			const state: RequestState = { session, refusal: null, fault: null, isAuthenticated: false };
			const handler = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
				// The library takes its own URLs from these. AUTH_URL decides them, and no header.
				const url = req.url?.slice(OIDC_PATH.length);
				Object.assign(req, { state, originalUrl: req.url, url });
				Object.defineProperty(req.socket, 'encrypted', { value: secure });
				req.headers.host = new URL(origin).host;
				await provider.callback()(req, res);
			};
			const response = await fetchNodeHandler(handler, adapted(deps, request, session));
			// The library's cookies would hold its session and request, which are not stored.
			response.headers.delete('set-cookie');
			return { ...state, response };
		},

		/**
		 * What the sign-in page needs to know about the application that a person comes from. Null unless
		 * the target is an authorization request of a client.
		 */
		pendingSignIn: async (target: string) => {
			const { pathname, searchParams: query } = new URL(target, origin);
			if (pathname !== OIDC_PATH + ROUTES.authorization) return null;
			const uri = query.get('redirect_uri') ?? '';
			const client = await (await currentProvider()).Client.find(query.get('client_id') ?? '');
			if (!client?.redirectUriAllowed(uri)) return null;
			const { protocol, origin: back, hostname } = new URL(uri);
			return {
				application: client.clientName ?? '',
				loginHint: query.get('login_hint'),
				/** The origin or scheme to return to. A content security policy cannot name an IPv6 address. */
				returnsTo: /^https?:$/.test(protocol) && !hostname.startsWith('[') ? back : protocol,
				/** Whether this session is enough. Otherwise the application asks for a new code. */
				isSatisfiedBy: (own: Session): boolean => isSinceAsked(query, own)
			};
		},

		/** Makes the first keys, and tells applications about ended sessions from now on. */
		start: (): void => {
			currentProvider().catch((fault: unknown) => deps.log.fault('oidc keys', fault));
			worker.start();
		},
		stop: worker.stop
	};
};

/** False if the request has asked for a new sign-in, and this session is older. */
const isSinceAsked = (query: URLSearchParams, { createdAt }: Session): boolean =>
	createdAt.getTime() >= Number(query.get(NEW_SIGN_IN_PARAMETER));

/**
 * An authorization request as the library needs it. It gives refresh tokens only to requests that ask for
 * consent; here nobody is asked, so the scope is enough. And it cannot know that a person has just signed
 * in because the request asked for it.
 */
const adapted = ({ clock }: OidcDeps, request: Request, { signedIn }: BrowserSession): Request => {
	const url = new URL(request.url);
	const { searchParams: query } = url;
	if (url.pathname !== OIDC_PATH + ROUTES.authorization) return request;
	// The other modes need pages of the library's.
	query.delete('response_mode');
	// The library refuses `none` beside another value, also if the parameter came twice.
	const prompts = new Set(query.getAll('prompt').join(' ').split(' ').filter(Boolean));
	const own = query.has(NEW_SIGN_IN_PARAMETER) ? signedIn?.session : undefined;
	const isRecent = own && own.createdAt >= secondsAfter(clock.now(), -OIDC.newSignIn);
	if (isRecent && isSinceAsked(query, own)) {
		prompts.delete('login');
		query.delete('max_age');
	}
	const isOffline = query.get('scope')?.split(' ').includes('offline_access');
	if (isOffline && !prompts.has('none')) prompts.add('consent');
	query.set('prompt', [...prompts].join(' '));
	return new Request(url, request);
};

/**
 * The keys that sign, then those that will, and those that were replaced, as long as their tokens are
 * valid. Makes the first ones, also if no stored key can be opened because AUTH_SECRET was replaced.
 */
const readKeys = async (deps: OidcDeps): Promise<readonly JWK[]> => {
	const { oidcStore, oidcSecrets, clock } = deps;
	const now = clock.now();
	const stored = await oidcStore.keys();
	const opened = stored.flatMap(({ id, content, signsFrom }) => {
		const text = oidcSecrets.sealer.open(content, keyContext(id));
		return text === null ? [] : [{ signsFrom, keys: JSON.parse(text) as JWK[] }];
	});
	const signing = opened.findIndex(({ signsFrom }) => signsFrom <= now);
	if (signing === -1) {
		await addSigningKeys(deps, now, stored);
		return readKeys(deps);
	}
	// Keys replaced before this time only signed tokens that have expired.
	const retiredBefore = secondsAfter(now, -(OIDC.idToken + 2 * OIDC.reread));
	const valid = opened.filter((_, index) => {
		// The newest come first.
		const next = opened[index - 1];
		return next === undefined || next.signsFrom >= retiredBefore;
	});
	return [...valid.slice(signing), ...valid.slice(0, signing)].flatMap(({ keys }) => keys);
};
