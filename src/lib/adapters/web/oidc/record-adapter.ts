import { errors, type Adapter, type AdapterPayload, type ClientMetadata } from 'oidc-provider';
import type { GrantId, OidcClient, OidcStore } from '#lib/domain/oidc/ports.ts';
import { OIDC, type OidcSecrets } from '#lib/domain/oidc/use-cases.ts';
import type { SecretHash } from '#lib/domain/secret.ts';
import { secondsAfter, type Clock } from '#lib/domain/time.ts';

export const SCOPES = ['openid', 'email', 'profile', 'offline_access'] as const;

export interface AdapterDeps {
	readonly oidcStore: OidcStore;
	readonly oidcSecrets: OidcSecrets;
	readonly clock: Clock;
}

export type FindClient = (id: unknown) => Promise<OidcClient | undefined>;

/** For the library's times, which are in seconds. */
export const epoch = (instant: Date): number => instant.getTime() / 1000;

/**
 * The library's storage for one kind of record. Tokens and codes are their own ids, so records are
 * found by keyed hashes, and their content is sealed.
 */
export const recordAdapter =
	({ oidcStore, oidcSecrets, clock }: AdapterDeps, findClient: FindClient) =>
	(kind: string): Adapter => {
		const hashes = (id: string): readonly [SecretHash, ...SecretHash[]] =>
			oidcSecrets.hashes(`${kind} ${id}`);

		const record: Adapter = {
			upsert: async (id, payload, ttl = 0) => {
				const now = clock.now();
				const [hash] = hashes(id);
				const isRequest = kind === 'Interaction';
				// Compared with the time of a sign-in, which is by the same clock and in milliseconds.
				const stored = isRequest ? { ...payload, iat: epoch(now) } : payload;
				const isStored = await oidcStore.put(
					{
						...{ hash, kind },
						// A request outlives the session that it began with.
						grantId: isRequest ? null : ((payload.grantId ?? null) as GrantId | null),
						content: oidcSecrets.sealer.seal(JSON.stringify(stored), hash),
						expiresAt: secondsAfter(now, ttl)
					},
					now
				);
				if (!isStored) throw new errors.InvalidGrant('the session has ended');
			},
			find: async (id) => {
				const found = await oidcStore.find(kind, hashes(id), clock.now());
				const text = found && oidcSecrets.sealer.open(found.content, found.hash);
				if (!found || text === null) return undefined;
				const payload = JSON.parse(text) as AdapterPayload;
				return found.consumedAt === null
					? payload
					: { ...payload, consumed: Math.floor(epoch(found.consumedAt)) };
			},
			// The library has read `consumed` before. Of two concurrent uses, this decides.
			consume: async (id) => {
				const now = clock.now();
				const keepUntil = secondsAfter(now, OIDC.reuseMemory);
				if (await oidcStore.consume(hashes(id), now, keepUntil)) return;
				throw new errors.InvalidGrant('already used');
			},
			destroy: (id) => oidcStore.remove(hashes(id)),
			revokeByGrantId: (grantId) => oidcStore.removeOf(grantId as GrantId),
			findByUid: async () => undefined,
			findByUserCode: async () => undefined
		};

		switch (kind) {
			case 'Client':
				return {
					...record,
					find: async (id) => {
						const client = await findClient(id);
						return client && clientMetadata(client);
					}
				};
			// Made by `openGrant` in the store. It grants every scope: each client is the operator's own.
			case 'Grant':
				return {
					...record,
					upsert: async () => undefined,
					find: async (id) => {
						const now = clock.now();
						const grant = await oidcStore.findGrant(id as GrantId, now);
						return grant === null
							? undefined
							: {
									...{ kind, jti: id, clientId: grant.clientId, accountId: grant.user.id },
									iat: Math.floor(epoch(now)),
									exp: Math.floor(epoch(now)) + OIDC.refreshToken,
									openid: { scope: SCOPES.join(' ') }
								};
					},
					// Not removed, so that the application is told.
					destroy: (id) => oidcStore.endGrant(id as GrantId)
				};
			// The session is the browser's session with this site (see `useOwnSessions`).
			case 'Session':
				return { ...record, upsert: async () => undefined, destroy: async () => undefined };
			default:
				return record;
		}
	};

/** A client as the library reads it. */
const clientMetadata = (client: OidcClient): ClientMetadata => ({
	client_id: client.id,
	client_name: client.name,
	// Only the hash is known (see `compareClientSecret` in provider.ts).
	...(client.secretHash !== null && { client_secret: client.secretHash }),
	token_endpoint_auth_method: client.secretHash === null ? 'none' : 'client_secret_basic',
	application_type: client.isNative ? 'native' : 'web',
	id_token_signed_response_alg: client.algorithm,
	grant_types: ['authorization_code', 'refresh_token'],
	response_types: ['code'],
	response_modes: ['query'],
	redirect_uris: [...client.redirectUris],
	post_logout_redirect_uris: [...client.afterLogoutUris],
	...(client.logoutUri !== null && {
		backchannel_logout_uri: client.logoutUri,
		backchannel_logout_session_required: true
	})
});
