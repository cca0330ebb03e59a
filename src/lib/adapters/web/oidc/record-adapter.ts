import { errors, type Adapter, type AdapterPayload, type ClientMetadata } from 'oidc-provider';
import type { Deps } from '#lib/domain/deps.ts';
import type { GrantId, OidcClient } from '#lib/domain/oidc/ports.ts';
import { OIDC } from '#lib/domain/oidc/use-cases.ts';
import { secondsAfter } from '#lib/domain/time.ts';

/** The library decides what is stored and when, so no use-case is between it and the store. */
export type AdapterDeps = Deps<'oidcStore' | 'oidcSecrets' | 'clock'>;

/** For the library's times. */
export const inSeconds = (instant: Date): number => Math.floor(instant.getTime() / 1000);

const nothing = async (): Promise<void> => undefined;

/**
 * The library's storage for one kind of record. Tokens and codes are their own ids, so records are
 * found by keyed hashes, and their content is sealed.
 */
export const recordAdapter =
	({ oidcStore, oidcSecrets: { hashes, sealer }, clock }: AdapterDeps) =>
	(kind: string): Adapter => {
		const hashesOf = (id: string) => hashes(`${kind} ${id}`);

		const record: Adapter = {
			upsert: async (id, payload, ttl = 0) => {
				const [hash] = hashesOf(id);
				const isAdded = await oidcStore.addRecord({
					hash,
					grantId: payload.grantId as GrantId,
					content: sealer.seal(JSON.stringify(payload), hash),
					expiresAt: secondsAfter(clock.now(), ttl)
				});
				if (!isAdded) throw new errors.InvalidGrant('the session has ended');
			},
			find: async (id) => {
				const found = await oidcStore.findRecord(hashesOf(id), clock.now());
				const text = found && sealer.open(found.content, found.hash);
				if (!found || text === null) return undefined;
				const { consumedAt } = found;
				const payload = JSON.parse(text) as AdapterPayload;
				return { ...payload, ...(consumedAt && { consumed: inSeconds(consumedAt) }) };
			},
			// The library has read `consumed` before. Of two concurrent uses, this decides.
			consume: async (id) => {
				const now = clock.now();
				const keepUntil = secondsAfter(now, OIDC.reuseMemory);
				if (await oidcStore.consumeRecord(hashesOf(id), now, keepUntil)) return;
				throw new errors.InvalidGrant('already used');
			},
			destroy: (id) => oidcStore.removeRecords(hashesOf(id)),
			// The library also destroys the grant, and that ends its tokens.
			revokeByGrantId: nothing,
			findByUid: nothing,
			findByUserCode: nothing
		};

		switch (kind) {
			case 'Client':
				return {
					...record,
					find: async (id) => {
						const client = (await oidcStore.clients()).find((one) => one.id === id);
						return client && clientMetadata(client);
					}
				};
			// Made by `openGrant` in the store. It grants every scope: each client is the operator's own.
			case 'Grant':
				return {
					...record,
					find: async (id) => {
						const grant = await oidcStore.findGrant(id as GrantId, clock.now());
						if (grant === null) return undefined;
						const { clientId, user } = grant;
						const openid = { scope: 'openid email profile offline_access' };
						return { kind, jti: id, clientId, accountId: user.id, openid };
					},
					// Not removed, so that the application is told.
					destroy: (id) => oidcStore.endGrant(id as GrantId)
				};
			// A session is one of this site, and the URL of the sign-in page has the whole request.
			case 'Session':
			case 'Interaction':
				return { ...record, upsert: nothing, destroy: nothing };
			default:
				return record;
		}
	};

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
	redirect_uris: client.redirectUris.split(' '),
	post_logout_redirect_uris: client.afterLogoutUris.split(' ').filter(Boolean),
	...(client.logoutUri !== null && {
		backchannel_logout_uri: client.logoutUri,
		backchannel_logout_session_required: true
	})
});
