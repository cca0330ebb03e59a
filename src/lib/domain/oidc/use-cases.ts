import type { Ids } from '../ids.ts';
import type { Random, Sealer } from '../ports.ts';
import { newSecret, type SecretHash } from '../secret.ts';
import { secondsAfter, type Clock } from '../time.ts';
import type { ClientId, OidcClient, OidcStore, SigningAlgorithm, SigningKey } from './ports.ts';

/** In seconds. */
export const OIDC = {
	accessToken: 5 * 60,
	code: 60,
	idToken: 60 * 60,
	interaction: 60 * 60,
	refreshToken: 60 * 24 * 60 * 60,
	/** For so long, the second use of a refresh token is noticed. */
	reuseMemory: 14 * 24 * 60 * 60,
	/** Until when an instance has read keys and clients that another one changed. */
	reread: 30,
	/** From when on a new key signs. All instances have published it before. */
	keyDelay: 90,
	/** For so long, an application is told again that a session has ended. */
	logoutAttempts: 24 * 60 * 60
} as const;

/** Everything of the provider that works with a key. */
export interface OidcSecrets {
	/** The keyed hashes of a text: the current one, and those under keys that are being replaced. */
	hashes(text: string): readonly [SecretHash, ...SecretHash[]];
	readonly sealer: Sealer;
	/** Makes a private key, as the text of a JWK. */
	newKey(algorithm: SigningAlgorithm): Promise<string>;
}

export interface OidcDeps {
	readonly oidcStore: OidcStore;
	readonly oidcSecrets: OidcSecrets;
	readonly clock: Clock;
	readonly ids: Ids;
	readonly random: Random;
}

export const clientSecretText = (id: ClientId, secret: string): string => `client ${id} ${secret}`;
export const keyContext = (id: string): string => `oidc key ${id}`;

interface NewClient extends Omit<OidcClient, 'id' | 'secretHash' | 'createdAt'> {
	/** Cannot keep a secret. */
	readonly isPublic: boolean;
}

interface AddedClient {
	readonly id: ClientId;
	/** Shown once. Null for a public client. */
	readonly secret: string | null;
}

/** Registers an application, whose URIs were checked. */
const makeAddClient =
	({ oidcStore, oidcSecrets, clock, ids, random }: OidcDeps) =>
	async ({ isPublic, ...client }: NewClient): Promise<AddedClient> => {
		const id = ids.next() as ClientId;
		const secret = isPublic ? null : newSecret(random);
		const [secretHash] =
			secret === null ? [null] : oidcSecrets.hashes(clientSecretText(id, secret));
		await oidcStore.addClient({ ...client, id, secretHash, createdAt: clock.now() });
		return { id, secret };
	};

/** Makes the keys of all algorithms, to sign from the given time on. */
export const newSigningKeys = async (
	{ oidcSecrets, ids }: Pick<OidcDeps, 'oidcSecrets' | 'ids'>,
	signsFrom: Date
): Promise<readonly SigningKey[]> => {
	const algorithms: readonly SigningAlgorithm[] = ['RS256', 'ES256'];
	return Promise.all(
		algorithms.map(async (algorithm) => {
			const id = ids.next();
			const jwk = await oidcSecrets.newKey(algorithm);
			return { id, algorithm, content: oidcSecrets.sealer.seal(jwk, keyContext(id)), signsFrom };
		})
	);
};

/** Adds new keys. They sign as soon as all instances have published them. Returns that time. */
const makeRotateKeys = (deps: OidcDeps) => async (): Promise<Date> => {
	const signsFrom = secondsAfter(deps.clock.now(), OIDC.keyDelay);
	await deps.oidcStore.addKeys(await newSigningKeys(deps, signsFrom));
	return signsFrom;
};

export const oidc = {
	addOidcClient: makeAddClient,
	rotateOidcKeys: makeRotateKeys
};
