import { fromStore, type Deps } from '../deps.ts';
import { parseOidcClientId, type OidcClientId, type UserId } from '../ids.ts';
import { newSecret } from '../secret.ts';
import { DAY, HOUR, MINUTE, secondsAfter } from '../time.ts';
import type { OidcClient, SignedInApplication, SigningKeys } from './ports.ts';

/** In seconds. */
export const OIDC = {
	accessToken: 5 * MINUTE,
	idToken: HOUR,
	refreshToken: 60 * DAY,
	/** How long a second use of a code or a refresh token is noticed. */
	reuseMemory: 14 * DAY,
	/** How old a sign-in may be to count as the new one that an application asked for. */
	newSignIn: 5 * MINUTE,
	/** How often an instance reads the keys, to find those that another one added. */
	reread: 30,
	/** How long a new key waits before it signs, so that every instance has published it. */
	keyDelay: 90
} as const;

export const clientSecretText = (id: OidcClientId, secret: string): string =>
	`client ${id} ${secret}`;
export const keyContext = (id: string): string => `oidc key ${id}`;

interface NewClient extends Omit<OidcClient, 'id' | 'secretHash' | 'createdAt'> {
	/** Cannot keep a secret. */
	readonly isPublic: boolean;
}

interface AddedClient extends Pick<OidcClient, 'id'> {
	/** Shown once. Null for a public client. */
	readonly secret: string | null;
}

type AddingDeps = Deps<'oidcStore' | 'oidcSecrets' | 'ids'>;

/** Registers an application, whose URIs were checked. */
const makeAddOidcClient =
	({ oidcStore, oidcSecrets, clock, ids, random }: AddingDeps & Deps<'clock' | 'random'>) =>
	async ({ isPublic, ...client }: NewClient): Promise<AddedClient> => {
		const id = ids.next() as OidcClientId;
		const secret = isPublic ? null : newSecret(random);
		const secretHash = secret === null ? null : oidcSecrets.hashes(clientSecretText(id, secret))[0];
		await oidcStore.addClient({ ...client, id, secretHash, createdAt: clock.now() });
		return { id, secret };
	};

/** Removes an application with its grants and tokens. False if there is none. */
const makeRemoveOidcClient =
	({ oidcStore }: Deps<'oidcStore'>) =>
	async (typed: string): Promise<boolean> => {
		const id = parseOidcClientId(typed);
		return id !== null && oidcStore.removeClient(id);
	};

const makeListApplications =
	({ oidcStore, clock }: Deps<'oidcStore' | 'clock'>) =>
	(userId: UserId): Promise<readonly SignedInApplication[]> =>
		oidcStore.applicationsOf(userId, clock.now());

/** Ends an application's grants for an account. Returns its id. Null for text that cannot be one. */
const makeEndApplication =
	({ oidcStore }: Deps<'oidcStore'>) =>
	async (userId: UserId, typed: string): Promise<OidcClientId | null> => {
		const id = parseOidcClientId(typed);
		if (id !== null) await oidcStore.endGrants(userId, id);
		return id;
	};

/** Adds keys, unless another process adds some at the same time. */
export const addSigningKeys = async (
	{ oidcStore, oidcSecrets, ids }: AddingDeps,
	signsFrom: Date,
	known: readonly SigningKeys[]
): Promise<void> => {
	const id = ids.next();
	const content = oidcSecrets.sealer.seal(await oidcSecrets.newKeys(id), keyContext(id));
	const knownIds = known.map((keys) => keys.id);
	await oidcStore.addKeys({ id, content, signsFrom }, knownIds);
};

/** Adds new keys. They sign as soon as all instances have published them. Returns that time. */
const makeRotateOidcKeys = (deps: AddingDeps & Deps<'clock'>) => async (): Promise<Date> => {
	const signsFrom = secondsAfter(deps.clock.now(), OIDC.keyDelay);
	await addSigningKeys(deps, signsFrom, await deps.oidcStore.keys());
	return signsFrom;
};

export const oidc = {
	addOidcClient: makeAddOidcClient,
	listOidcClients: fromStore('oidcStore', 'clients'),
	removeOidcClient: makeRemoveOidcClient,
	listApplications: makeListApplications,
	endApplication: makeEndApplication,
	rotateOidcKeys: makeRotateOidcKeys
};
