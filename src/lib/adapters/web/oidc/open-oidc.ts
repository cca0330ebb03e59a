import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type Provider from 'oidc-provider';
import type { JWK } from 'oidc-provider';
import { fetchNodeHandler } from 'srvx/node';
import type { Ids } from '#lib/domain/ids.ts';
import type { GrantId, OidcClient, SigningKey } from '#lib/domain/oidc/ports.ts';
import { clientSecretText, keyContext, newSigningKeys, OIDC } from '#lib/domain/oidc/use-cases.ts';
import { secondsAfter } from '#lib/domain/time.ts';
import { logoutFetch } from './logout-fetch.ts';
import { logoutWorker, type ToldClient, type WorkerDeps } from './logout-worker.ts';
import { OIDC_PATH, resumedId, ROUTES } from './paths.ts';
import { isSatisfied, makeProvider, resumeCookie, type RequestState } from './provider.ts';
import { recordAdapter, type AdapterDeps } from './record-adapter.ts';
import type { OidcService } from './service.ts';

/** Where clients authenticate themselves. */
const AUTHENTICATED: readonly string[] = [ROUTES.token, ROUTES.revocation];

export interface OidcDeps extends AdapterDeps, Pick<WorkerDeps, 'timing' | 'log'> {
	readonly origin: string;
	readonly secure: boolean;
	readonly signInPath: string;
	readonly mayCallPrivateAddresses: boolean;
	readonly ids: Ids;
}

/** What this instance has read of keys and clients. */
interface Current {
	readonly provider: Provider;
	readonly call: ReturnType<Provider['callback']>;
	readonly keyIds: string;
	readonly clients: readonly OidcClient[];
	readonly readAt: number;
}

export const openOidc = (deps: OidcDeps): OidcService => {
	const { origin, secure, oidcStore, oidcSecrets, clock, timing } = deps;
	const states = new WeakMap<IncomingMessage, RequestState>();
	const stateOf = (request: IncomingMessage): RequestState => {
		const state = states.get(request);
		if (state === undefined) throw new Error('a request without state');
		return state;
	};
	let current: Current | null = null;
	let reading: Promise<Current> | null = null;
	const isSecretOf = async (client: OidcClient, secret: string): Promise<boolean> => {
		const { id, secretHash } = client;
		const hashes = oidcSecrets.hashes(clientSecretText(id, secret));
		if (secretHash === null) return false;
		const stored = Buffer.from(secretHash);
		const match = hashes.findIndex((hash) => timingSafeEqual(Buffer.from(hash), stored));
		// The key of the hash is being replaced, and only now the secret is known.
		if (match > 0) await oidcStore.rehashSecret(id, secretHash, hashes[0]);
		return match !== -1;
	};

	const build = (keys: readonly JWK[]): Provider =>
		makeProvider({
			...deps,
			...{ keys, findClient, isSecretOf, stateOf },
			newGrantId: () => deps.ids.next() as GrantId,
			fetch: logoutFetch(deps.mayCallPrivateAddresses)
		});

	const read = async (): Promise<Current> => {
		const { usable, ids } = await readKeys(deps);
		const keyIds = ids.join();
		const provider = current?.keyIds === keyIds ? current.provider : build(usable);
		const readAt = timing.now();
		const clientsNow = await oidcStore.clients();
		return (current = { provider, call: provider.callback(), keyIds, readAt, clients: clientsNow });
	};

	/** Reads keys and clients again if this instance read them more than `age` seconds ago. */
	const upToDate = (age: number = OIDC.reread): Current | Promise<Current> =>
		current !== null && timing.now() < current.readAt + age * 1000
			? current
			: (reading ??= read().finally(() => (reading = null)));

	/** A client that was just added is found at once. Unknown ids cause one query a second. */
	const findClient = async (id: unknown): Promise<OidcClient | undefined> => {
		const isMeant = (client: OidcClient): boolean => client.id === id;
		return (await upToDate()).clients.find(isMeant) ?? (await upToDate(1)).clients.find(isMeant);
	};

	const worker = logoutWorker({
		...deps,
		clientOf: async (id) =>
			(await upToDate()).provider.Client.find(id) as Promise<ToldClient | undefined>
	});

	return {
		handle: async ({ request, session }) => {
			const { call } = await upToDate();
			const state: RequestState = { session, refusal: null, fault: null, endsSession: false };
			const handler = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
				states.set(req, state);
				// The library takes its own URLs from these. AUTH_URL decides them, and no header.
				Object.assign(req, { originalUrl: req.url, url: req.url?.slice(OIDC_PATH.length) });
				Object.defineProperty(req.socket, 'encrypted', { value: secure });
				req.headers.host = new URL(origin).host;
				await call(req, res);
			};
			const response = await fetchNodeHandler(handler, withConsent(request));
			return { ...state, response: onlyCookie(response, resumeCookie(deps)) };
		},

		isTrusted: async (path, headers, form) => {
			const [scheme, given = ''] = (headers.get('authorization') ?? '').split(' ');
			if (path === ROUTES.userinfo) {
				const token = scheme?.toLowerCase() === 'bearer' ? given : '';
				if (!/^[\w-]{43}$/.test(token)) return false;
				const hashes = oidcSecrets.hashes(`AccessToken ${token}`);
				return (await oidcStore.find('AccessToken', hashes, clock.now())) !== null;
			}
			if (!AUTHENTICATED.includes(path)) return false;
			const [id, secret] =
				scheme?.toLowerCase() === 'basic'
					? basicCredentials(given)
					: ['client_id', 'client_secret'].map((name) => form?.get(name) ?? null);
			const client = await findClient(id);
			return client !== undefined && typeof secret === 'string' && isSecretOf(client, secret);
		},

		pendingSignIn: async (path) => {
			const id = path.startsWith(OIDC_PATH) ? resumedId(path.slice(OIDC_PATH.length)) : null;
			if (id === null) return null;
			const waiting = await recordAdapter(deps, findClient)('Interaction').find(id);
			const { client_id: of, login_hint: hint, redirect_uri: uri } = waiting?.params ?? {};
			const client = await findClient(of);
			if (!waiting?.prompt || waiting.iat === undefined) return null;
			if (client === undefined || !URL.canParse(String(uri))) return null;
			const { protocol, origin: back, hostname } = new URL(String(uri));
			const { prompt, iat } = waiting;
			return {
				application: client.name,
				loginHint: typeof hint === 'string' ? hint : null,
				// A content security policy has no way to write an IPv6 address.
				returnsTo: /^https?:$/.test(protocol) && !hostname.startsWith('[') ? back : protocol,
				isSatisfiedBy: (session) => isSatisfied({ iat, reasons: prompt.reasons }, { session })
			};
		},

		start: () => {
			Promise.resolve(upToDate()).catch((fault: unknown) => deps.log.fault('oidc keys', fault));
			worker.start();
		},
		stop: () => worker.stop()
	};
};

/**
 * The keys that sign and those that were replaced, as long as their tokens are valid. For each algorithm
 * the signing one comes first. Makes the first ones, also if no stored key can be opened because
 * AUTH_SECRET was replaced.
 */
const readKeys = async (
	deps: OidcDeps
): Promise<{ readonly usable: readonly JWK[]; readonly ids: readonly string[] }> => {
	const { oidcStore, oidcSecrets, clock } = deps;
	const now = clock.now();
	const stored = await oidcStore.keys();
	const isReplaced = ({ algorithm, signsFrom }: SigningKey): boolean => {
		const over = secondsAfter(now, -(OIDC.idToken + 2 * OIDC.reread));
		return stored.some(
			(other) =>
				other.algorithm === algorithm && other.signsFrom > signsFrom && other.signsFrom < over
		);
	};
	const over = stored.filter(isReplaced).map(({ id }) => id);
	if (over.length > 0) await oidcStore.removeKeys(over);
	const opened = stored.flatMap((key) => {
		const text = oidcSecrets.sealer.open(key.content, keyContext(key.id));
		return text === null || over.includes(key.id) ? [] : [{ ...key, text }];
	});
	if (!opened.some(({ signsFrom }) => signsFrom <= now)) {
		const unreadable = stored.map(({ id }) => id);
		await oidcStore.addKeys(await newSigningKeys(deps, now), unreadable);
		return readKeys(deps);
	}
	// The store has the newest first. Those that sign later only come last.
	const inOrder = [
		...opened.filter(({ signsFrom }) => signsFrom <= now),
		...opened.filter(({ signsFrom }) => signsFrom > now)
	];
	const usable = inOrder.map(({ id, algorithm, text }) => ({
		...(JSON.parse(text) as JWK),
		...{ kid: id, alg: algorithm, use: 'sig' as const }
	}));
	return { usable, ids: inOrder.map(({ id }) => id) };
};

/**
 * The library gives refresh tokens only to requests that ask for consent. Here nobody is asked, so the
 * scope is enough.
 */
const withConsent = (request: Request): Request => {
	const url = new URL(request.url);
	const { searchParams: query } = url;
	if (url.pathname !== OIDC_PATH + ROUTES.authorization) return request;
	// The other modes need pages of the library's.
	query.delete('response_mode');
	const prompts = query.getAll('prompt');
	const isOffline = query.get('scope')?.split(' ').includes('offline_access') ?? false;
	const isDecided = prompts.length > 1 || /none|consent/.test(prompts[0] ?? '');
	if (isOffline && !isDecided) query.set('prompt', [...prompts, 'consent'].join(' ').trim());
	return new Request(url, request);
};

/** The library also sets cookies that nothing here reads. */
const onlyCookie = (response: Response, name: string): Response => {
	const kept = response.headers.getSetCookie().filter((one) => one.startsWith(`${name}=`));
	response.headers.delete('set-cookie');
	for (const cookie of kept) response.headers.append('set-cookie', cookie);
	return response;
};

const basicCredentials = (encoded: string): readonly [string | null, string | null] => {
	const [id = '', secret = ''] = Buffer.from(encoded, 'base64').toString().split(':');
	try {
		return [decodeURIComponent(id), decodeURIComponent(secret)];
	} catch {
		return [null, null];
	}
};
