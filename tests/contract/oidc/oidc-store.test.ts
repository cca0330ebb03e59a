import { and, eq, isNull } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import type { Sql } from '#lib/adapters/sql/sql.ts';
import type { ClientId, GrantId, OidcClient, OidcStore } from '#lib/domain/oidc/ports.ts';
import type { SecretHash } from '#lib/domain/secret.ts';
import type { Redeemed } from '#lib/domain/sign-in/ports.ts';
import type { Stores } from '#lib/domain/stores.ts';
import { postgresBacking, sqliteBacking, type SqlBacking } from '../../support/database/backing.ts';
import { atOnce } from '../stores/races.ts';
import { unhurried } from '../../support/twins/unhurried.ts';
import { signIn } from '../account/account-examples.ts';
import { aHash, anEmail, at, CAN_GO_WRONG, newIds } from '../stores/examples.ts';

// The provider's store has no fake in memory: it would repeat the joins that are tested here.

const aClient = (but: Partial<OidcClient> = {}): OidcClient => ({
	id: newIds.next() as ClientId,
	name: 'Grafana',
	secretHash: aHash(),
	isNative: false,
	algorithm: 'RS256',
	redirectUris: ['https://grafana.example.org/login', 'https://grafana.example.org/other'],
	afterLogoutUris: [],
	logoutUri: null,
	createdAt: at(0),
	...but
});

/** The other way to consume: reading whether it was, then writing. */
const naiveConsume =
	({ db, tables: { oidcRecord: r }, run }: Sql): OidcStore['consume'] =>
	async ([hash], now) => {
		if (hash === undefined) return false;
		const free = and(eq(r.hash, hash), isNull(r.consumedAt));
		const found = await run(() => db.select().from(r).where(free));
		if (found.length === 0) return false;
		await run(() => db.update(r).set({ consumedAt: now }).where(eq(r.hash, hash)).returning());
		return true;
	};

/** Every way in which what an application was given can end before it expires. */
const endings: Record<string, (stores: Stores, of: Redeemed, client: OidcClient) => unknown> = {
	'its session is ended': ({ sessions }, { user, session }) => sessions.endOne(user.id, session.id),
	'all sessions are ended': ({ sessions }, { user }) => sessions.endAll(user.id, null),
	'the account is deleted': ({ accounts }, { user }) => accounts.delete(user.id, at(5)),
	'its session is pruned': ({ sessions }) => sessions.prune(at(1e9), 10),
	'the application is removed in the settings': ({ oidcStore }, { user }, { id }) =>
		oidcStore.endGrants(user.id, id),
	'the client is removed': ({ oidcStore }, _, { id }) => oidcStore.removeClient(id)
};

const engines = {
	sqlite: sqliteBacking,
	postgres: () => postgresBacking(inject('postgresUrl'))
};

describe.each(Object.keys(engines) as (keyof typeof engines)[])('oidc store (%s)', (engine) => {
	let backing: SqlBacking;
	let stores: Stores;
	let store: OidcStore;
	let signedIn: Redeemed;
	let client: OidcClient;
	let grant: GrantId;
	beforeAll(async () => {
		backing = await engines[engine]();
	});
	afterAll(() => backing.close());
	beforeEach(async () => {
		await backing.clear();
		stores = backing.stores;
		store = stores.oidcStore;
		signedIn = await signIn(stores, anEmail());
		client = aClient();
		await store.addClient(client);
		grant = (await open()) as GrantId;
	});

	const open = (signedInAt = at(2)): Promise<GrantId | null> =>
		store.openGrant({
			id: newIds.next() as GrantId,
			userId: signedIn.user.id,
			clientId: client.id,
			sessionId: signedIn.session.id,
			signedInAt
		});
	const put = (hash: SecretHash, grantId: GrantId | null = grant, expiresAt = at(100)) =>
		store.put({ hash, kind: 'RefreshToken', grantId, content: 'sealed', expiresAt }, at(3));
	const find = (hash: SecretHash, now = at(4)) => store.find('RefreshToken', [hash], now);

	it('clients come back as they were added', async () => {
		const second = aClient({ secretHash: null, isNative: true, createdAt: at(1) });
		await store.addClient(second);
		expect(await store.clients()).toEqual([client, second]);
		await store.rehashSecret(client.id, client.secretHash as SecretHash, aHash('new'));
		expect((await store.clients())[0]?.secretHash).toBe(aHash('new'));
		expect(await store.removeClient(second.id)).toBe(true);
		expect(await store.removeClient(second.id)).toBe(false);
	});

	it('a record is found until it expires, by any of its hashes, as its kind', async () => {
		const [hash, other] = [aHash(), aHash()];
		expect(await put(hash)).toBe(true);
		const found = { hash, content: 'sealed', consumedAt: null };
		expect(await store.find('RefreshToken', [other, hash], at(99))).toEqual(found);
		expect(await store.find('AuthorizationCode', [hash], at(99))).toBeNull();
		expect(await find(hash, at(100))).toBeNull();
		await store.remove([other, hash]);
		expect(await find(hash)).toBeNull();
	});

	it('a record without a grant is replaced by the next with its hash', async () => {
		const hash = aHash();
		const record = { hash, kind: 'Interaction', grantId: null, expiresAt: at(100) };
		await store.put({ ...record, content: 'one' }, at(3));
		await store.put({ ...record, content: 'two' }, at(3));
		expect((await store.find('Interaction', [hash], at(4)))?.content).toBe('two');
	});

	it('all tokens of a grant go together, and those of others stay', async () => {
		const [one, two, alone] = [aHash(), aHash(), aHash()];
		await Promise.all([put(one), put(two), put(alone, null)]);
		await store.removeOf(grant);
		expect([await find(one), await find(two)]).toEqual([null, null]);
		expect(await find(alone)).not.toBeNull();
		await put(one);
		await store.endGrant(grant);
		expect(await find(one)).toBeNull();
		expect(await store.leaseEnded(at(4), at(5), 10)).toMatchObject([{ id: grant, attempt: 1 }]);
		await store.removeGrant(grant);
		expect(await store.leaseEnded(at(6), at(7), 10)).toEqual([]);
		expect(await store.findGrant(grant, at(4))).toBeNull();
	});

	it('a session has one grant for a client, with the time of the last sign-in', async () => {
		expect(await open(at(9))).toBe(grant);
		expect(await store.findGrant(grant, at(10))).toEqual({
			user: signedIn.user,
			clientId: client.id,
			sessionId: signedIn.session.id
		});
		expect(await store.applicationsOf(signedIn.user.id, at(10))).toEqual([
			{ clientId: client.id, name: 'Grafana', signedInAt: at(9) }
		]);
	});

	it.each(Object.keys(endings))(
		'nothing is found and nothing can be added once %s',
		async (how) => {
			const hash = aHash();
			await put(hash);
			await endings[how]?.(stores, signedIn, client);
			expect(await find(hash)).toBeNull();
			expect(await put(aHash())).toBe(false);
			expect(await store.findGrant(grant, at(6))).toBeNull();
			expect(await store.applicationsOf(signedIn.user.id, at(6))).toEqual([]);
			if (how.includes('session')) expect(await open()).toBeNull();
		}
	);

	it('nothing is found once the session has expired', async () => {
		const hash = aHash();
		await put(hash, grant, at(1e9));
		const { expiresAt } = signedIn.session;
		expect(await find(hash, new Date(expiresAt.getTime() - 1))).not.toBeNull();
		expect(await find(hash, expiresAt)).toBeNull();
	});

	it('an ended grant is leased once until it is due again', async () => {
		expect(await store.leaseEnded(at(5), at(60), 10)).toEqual([]);
		await stores.sessions.endAll(signedIn.user.id, null);
		const leases = await atOnce(backing.instances, 20, ({ oidcStore }) =>
			oidcStore.leaseEnded(at(5), at(60), 10)
		);
		const [lease, ...others] = leases.flat();
		expect(others).toEqual([]);
		expect(lease).toMatchObject({ id: grant, endedAt: at(5), attempt: 1 });
		if (lease === undefined) return;
		await store.retryEnded(lease, at(20));
		expect(await store.leaseEnded(at(19), at(60), 10)).toEqual([]);
		expect(await store.leaseEnded(at(20), at(60), 10)).toMatchObject([
			{ endedAt: at(5), attempt: 2 }
		]);
		// The first lease is over.
		await store.retryEnded(lease, at(21));
		expect(await store.leaseEnded(at(30), at(60), 10)).toEqual([]);
	});

	it('pruning removes what has expired, and no more than it may', async () => {
		await Promise.all([put(aHash(), grant, at(8)), put(aHash(), null, at(9)), put(aHash())]);
		expect(await store.prune(at(50), 1)).toBe(1);
		expect(await store.prune(at(50), 10)).toBe(1);
		expect(await store.prune(at(50), 10)).toBe(0);
	});

	const raceConsume = async (consumers: readonly OidcStore['consume'][]): Promise<number> => {
		const hash = aHash();
		await put(hash);
		const consumed = await Promise.all(
			Array.from({ length: 30 }, (_, index) =>
				consumers[index % consumers.length]?.([hash], at(4), at(50))
			)
		);
		return consumed.filter(Boolean).length;
	};

	it('of concurrent exchanges over two instances one consumes, and the record stays for a while', async () => {
		const instances = backing.instances.map(({ oidcStore }) => oidcStore.consume);
		for (let round = 0; round < 5; round += 1) expect(await raceConsume(instances)).toBe(1);
		const hash = aHash();
		await put(hash);
		await store.consume([hash], at(4), at(50));
		expect((await find(hash, at(49)))?.consumedAt).toEqual(at(4));
		expect(await find(hash, at(50))).toBeNull();
	});

	it('Q09: reading before consuming consumes more than once', CAN_GO_WRONG, async () => {
		const naive = backing.databases.map((sql) => naiveConsume(unhurried(sql)));
		expect(await raceConsume(naive)).toBeGreaterThan(1);
	});

	it('of concurrent first starts one adds its keys', async () => {
		const keys = () =>
			(['RS256', 'ES256'] as const).map((algorithm) => ({
				id: newIds.next(),
				algorithm,
				content: 'sealed',
				signsFrom: at(0)
			}));
		await atOnce(backing.instances, 10, ({ oidcStore }) => oidcStore.addKeys(keys(), []));
		const stored = await store.keys();
		expect(stored).toHaveLength(2);
		// Keys that cannot be opened do not count.
		await store.addKeys(
			keys(),
			stored.map(({ id }) => id)
		);
		expect(await store.keys()).toHaveLength(4);
		await store.removeKeys(stored.map(({ id }) => id));
		expect(await store.keys()).toHaveLength(2);
	});
});
