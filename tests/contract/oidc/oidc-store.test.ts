import { and, eq, isNull } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import type { Sql } from '#lib/adapters/sql/sql.ts';
import type { GrantId, OidcClient, OidcStore } from '#lib/domain/oidc/ports.ts';
import type { OidcClientId } from '#lib/domain/ids.ts';
import type { SecretHash } from '#lib/domain/secret.ts';
import type { Redeemed } from '#lib/domain/sign-in/ports.ts';
import type { Stores } from '#lib/domain/deps.ts';
import { postgresBacking, sqliteBacking, type SqlBacking } from '../../support/database/backing.ts';
import { anOidcClient } from '../../support/domain/builders.ts';
import { atOnce } from '../stores/races.ts';
import { paced } from '../twins/statements.ts';
import { signIn } from '../account/account-examples.ts';
import { aHash, anEmail, at, CAN_GO_WRONG, newIds } from '../stores/examples.ts';

// The provider's store has no fake in memory: it would repeat the joins that are tested here.

const aClient = (but: Partial<OidcClient> = {}): OidcClient =>
	anOidcClient({
		id: newIds.next() as OidcClientId,
		name: 'Grafana',
		secretHash: aHash(),
		createdAt: at(0),
		...but
	});

/** The other way to consume: reading whether it was, then writing. */
const naiveConsume =
	({ db, tables: { oidcRecord: r }, run }: Sql): OidcStore['consumeRecord'] =>
	async ([hash], now) => {
		if (hash === undefined) return false;
		const free = and(eq(r.hash, hash), isNull(r.consumedAt));
		const found = await run(() => db.select().from(r).where(free));
		if (found.length === 0) return false;
		await run(() => db.update(r).set({ consumedAt: now }).where(eq(r.hash, hash)));
		return true;
	};

/** Every way in which what an application was given can end before it expires. */
const endings: Record<string, (stores: Stores, of: Redeemed, client: OidcClient) => unknown> = {
	'its session is ended': ({ sessions }, { user, session }) => sessions.endOne(user.id, session.id),
	'all sessions are ended': ({ sessions }, { user }) => sessions.endSessionsExcept(user.id, null),
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

	const open = (signedInAt = at(2), { user, session } = signedIn): Promise<GrantId | null> =>
		store.openGrant({
			id: newIds.next() as GrantId,
			userId: user.id,
			clientId: client.id,
			sessionId: session.id,
			signedInAt
		});
	const add = (hash: SecretHash, expiresAt = at(100), grantId = grant) =>
		store.addRecord({ hash, grantId, content: 'sealed', expiresAt });
	const find = (hash: SecretHash, now = at(4)) => store.findRecord([hash], now);

	it('clients come back as they were added', async () => {
		const second = aClient({ secretHash: null, isNative: true, createdAt: at(1) });
		await store.addClient(second);
		expect(await store.clients()).toEqual([client, second]);
		await store.rehashSecret(client.id, client.secretHash as SecretHash, aHash('new'));
		expect((await store.clients())[0]?.secretHash).toBe(aHash('new'));
		expect(await store.removeClient(second.id)).toBe(true);
		expect(await store.removeClient(second.id)).toBe(false);
	});

	it('a record is found until it expires, by any of its hashes', async () => {
		const [hash, other] = [aHash(), aHash()];
		expect(await add(hash)).toBe(true);
		const found = { hash, content: 'sealed', consumedAt: null };
		expect(await store.findRecord([other, hash], at(99))).toEqual(found);
		expect(await find(hash, at(100))).toBeNull();
		await store.removeRecords([other, hash]);
		expect(await find(hash)).toBeNull();
	});

	it('all tokens of a grant end together, and those of others stay', async () => {
		const second = await signIn(stores, anEmail());
		const other = (await open(at(2), second)) as GrantId;
		const [one, two, kept] = [aHash(), aHash(), aHash()];
		await Promise.all([add(one), add(two), add(kept, at(100), other)]);
		await store.endGrant(grant);
		expect([await find(one), await find(two)]).toEqual([null, null]);
		expect(await find(kept)).not.toBeNull();
		expect(await store.leaseEnded(at(4), at(5), 10)).toMatchObject([{ id: grant, attempt: 1 }]);
		await store.removeEnded({ id: grant, attempt: 1 });
		expect(await store.leaseEnded(at(6), at(7), 10)).toEqual([]);
		expect(await store.findGrant(grant, at(4))).toBeNull();
		expect(await add(aHash())).toBe(false);
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

	it.each(Object.keys(endings))('nothing is found once %s', async (how) => {
		const [hash, later] = [aHash(), aHash()];
		await add(hash);
		await endings[how]?.(stores, signedIn, client);
		await add(later);
		expect([await find(hash), await find(later)]).toEqual([null, null]);
		expect(await store.findGrant(grant, at(6))).toBeNull();
		expect(await store.applicationsOf(signedIn.user.id, at(6))).toEqual([]);
		if (how.includes('session')) expect(await open()).toBeNull();
	});

	it('nothing is found once the session has expired', async () => {
		const hash = aHash();
		await add(hash, at(1e9));
		const { expiresAt } = signedIn.session;
		expect(await find(hash, new Date(expiresAt.getTime() - 1))).not.toBeNull();
		expect(await find(hash, expiresAt)).toBeNull();
	});

	it('an ended grant is leased once until it is due again', async () => {
		expect(await store.leaseEnded(at(5), at(60), 10)).toEqual([]);
		await stores.sessions.endSessionsExcept(signedIn.user.id, null);
		const leases = await atOnce(backing.instances, 20, ({ oidcStore }) =>
			oidcStore.leaseEnded(at(5), at(60), 10)
		);
		const [lease, ...others] = leases.flat();
		expect(others).toEqual([]);
		const { user } = signedIn;
		expect(lease).toEqual({ id: grant, userId: user.id, clientId: client.id, attempt: 1 });
		await store.retryEnded({ id: grant, attempt: 1 }, at(20));
		expect(await store.leaseEnded(at(19), at(60), 10)).toEqual([]);
		expect(await store.leaseEnded(at(20), at(60), 10)).toMatchObject([{ attempt: 2 }]);
		expect(await store.leaseEnded(at(59), at(99), 10)).toEqual([]);
		expect(await store.leaseEnded(at(60), at(99), 10)).toMatchObject([{ attempt: 3 }]);
	});

	it('a worker whose lease is over changes nothing', async () => {
		await stores.sessions.endSessionsExcept(signedIn.user.id, null);
		const [late] = await store.leaseEnded(at(5), at(60), 10);
		const [current] = await store.leaseEnded(at(60), at(120), 10);
		if (late === undefined || current === undefined) throw new Error('no lease');
		await store.retryEnded(late, at(61));
		await store.removeEnded(late);
		expect(await store.leaseEnded(at(119), at(180), 10)).toEqual([]);
		expect(await store.leaseEnded(at(120), at(180), 10)).toMatchObject([{ attempt: 3 }]);
		await store.removeEnded({ ...current, attempt: 3 });
		expect(await store.leaseEnded(at(999), at(9999), 10)).toEqual([]);
	});

	it('pruning removes what has expired, and no more than it may', async () => {
		await Promise.all([add(aHash(), at(8)), add(aHash(), at(9)), add(aHash())]);
		expect(await store.prune(at(50), 1)).toBe(1);
		expect(await store.prune(at(50), 10)).toBe(1);
		expect(await store.prune(at(50), 10)).toBe(0);
	});

	const raceConsume = async (consumers: readonly OidcStore['consumeRecord'][]): Promise<number> => {
		const hash = aHash();
		await add(hash);
		const consumed = await Promise.all(
			Array.from({ length: 30 }, (_, index) =>
				consumers[index % consumers.length]?.([hash], at(4), at(50))
			)
		);
		return consumed.filter(Boolean).length;
	};

	it('of concurrent exchanges over two instances one consumes, and the record stays for a while', async () => {
		const instances = backing.instances.map(({ oidcStore }) => oidcStore.consumeRecord);
		for (let round = 0; round < 5; round += 1) expect(await raceConsume(instances)).toBe(1);
		const hash = aHash();
		await add(hash);
		await store.consumeRecord([hash], at(4), at(50));
		expect((await find(hash, at(49)))?.consumedAt).toEqual(at(4));
		expect(await find(hash, at(50))).toBeNull();
	});

	it('Q09: reading before consuming consumes more than once', CAN_GO_WRONG, async () => {
		const naive = backing.databases.map((sql) => naiveConsume(paced(sql)));
		expect(await raceConsume(naive)).toBeGreaterThan(1);
	});

	it('of concurrent first starts one adds its keys', async () => {
		const keys = () => ({ id: newIds.next(), content: 'sealed', signsFrom: at(0) });
		await atOnce(backing.instances, 10, ({ oidcStore }) => oidcStore.addKeys(keys(), []));
		const [first, ...others] = await store.keys();
		expect(others).toEqual([]);
		// Keys that cannot be opened, or are to be replaced, do not count.
		await store.addKeys({ ...keys(), signsFrom: at(1) }, [first?.id ?? '']);
		expect((await store.keys()).map(({ signsFrom }) => signsFrom)).toEqual([at(1), at(0)]);
	});
});
