import {
	and,
	asc,
	desc,
	eq,
	gt,
	inArray,
	isNull,
	lte,
	max,
	notInArray,
	or,
	sql,
	type SQL
} from 'drizzle-orm';
import { StoreUnavailable } from '#lib/domain/errors.ts';
import type { OidcRecord, OidcStore, SigningKey } from '#lib/domain/oidc/ports.ts';
import type { SecretHash } from '#lib/domain/secret.ts';
import { atMost, deleteSome, userColumns } from '../rows.ts';
import { rowsOf, type Sql, type Tables, type Transaction, type Work } from '../sql.ts';

/** The first keys are made under this lock. */
const KEYS_LOCK = 'oidc keys' as SecretHash;

export const sqlOidcStore = (database: Sql): OidcStore => {
	const { db, tables, run, transaction, skipLocked } = database;
	const { oidcClient: c, oidcKey: k, oidcGrant: g, oidcRecord: r, session, user } = tables;

	/** Joined, because a record without a grant has neither session nor account. */
	const liveGrant = (now: Date): SQL | undefined =>
		and(gt(session.expiresAt, now), isNull(user.deletedAt));

	return {
		addClient: async (client) => {
			const row = {
				...client,
				redirectUris: client.redirectUris.join(' '),
				afterLogoutUris: client.afterLogoutUris.join(' ')
			};
			await run(() => db.insert(c).values(row).returning({ id: c.id }));
		},

		clients: async () => {
			const rows = await run(() => db.select().from(c).orderBy(asc(c.createdAt), asc(c.id)));
			return rows.map((row) => ({
				...row,
				redirectUris: listOf(row.redirectUris),
				afterLogoutUris: listOf(row.afterLogoutUris)
			}));
		},

		rehashSecret: async (id, from, to) => {
			await run(() =>
				db
					.update(c)
					.set({ secretHash: to })
					.where(and(eq(c.id, id), eq(c.secretHash, from)))
					.returning({ id: c.id })
			);
		},

		removeClient: async (id) => {
			const removed = await run(() => db.delete(c).where(eq(c.id, id)).returning({ id: c.id }));
			return removed.length > 0;
		},

		keys: () => run(() => db.select().from(k).orderBy(desc(k.signsFrom), desc(k.id))),

		addKeys: (keys, unless) => transaction((tx) => addKeys(tx, keys, unless)),

		removeKeys: async (ids) => {
			await run(() =>
				db
					.delete(k)
					.where(inArray(k.id, [...ids]))
					.returning({ id: k.id })
			);
		},

		openGrant: async (grant) => {
			const stored = await run(() =>
				db
					.insert(g)
					.values(grant)
					.onConflictDoUpdate({
						target: [g.sessionId, g.clientId],
						set: { signedInAt: grant.signedInAt }
					})
					.returning({ id: g.id })
			).catch(unlessReferenceGone(null));
			return stored?.[0]?.id ?? null;
		},

		findGrant: async (id, now) => {
			const [found] = await run(() =>
				db
					.select({ user: userColumns(tables), clientId: g.clientId, sessionId: session.id })
					.from(g)
					.innerJoin(session, eq(session.id, g.sessionId))
					.innerJoin(user, eq(user.id, g.userId))
					.where(and(eq(g.id, id), liveGrant(now)))
			);
			return found ?? null;
		},

		removeGrant: async (id) => {
			await run(() => db.delete(g).where(eq(g.id, id)).returning({ id: g.id }));
		},

		endGrant: async (id) => {
			await run(() =>
				db.update(g).set({ sessionId: null }).where(eq(g.id, id)).returning({ id: g.id })
			);
		},

		applicationsOf: async (userId, now) => {
			const signedInAt = max(g.signedInAt);
			const rows = await run(() =>
				db
					.select({ clientId: g.clientId, name: c.name, signedInAt })
					.from(g)
					.innerJoin(c, eq(c.id, g.clientId))
					.innerJoin(session, eq(session.id, g.sessionId))
					.where(and(eq(g.userId, userId), gt(session.expiresAt, now)))
					.groupBy(g.clientId, c.name)
					.orderBy(desc(signedInAt))
			);
			return rows.map((row) => ({ ...row, signedInAt: row.signedInAt ?? now }));
		},

		endGrants: async (userId, clientId) => {
			await run(() =>
				db
					.update(g)
					.set({ sessionId: null })
					.where(and(eq(g.userId, userId), eq(g.clientId, clientId)))
					.returning({ id: g.id })
			);
		},

		leaseEnded: async (now, until, limit) => {
			const due = and(isNull(g.sessionId), or(isNull(g.dueAt), lte(g.dueAt, now)));
			// Most calls find nothing, and then no write lock is needed.
			const found = await run(() => db.select({ id: g.id }).from(g).where(due).limit(1));
			if (found.length === 0) return [];
			const leased = await run(() =>
				db
					.update(g)
					.set({
						dueAt: until,
						attempts: sql`${g.attempts} + 1`,
						endedAt: sql`coalesce(${g.endedAt}, ${sql.param(now, g.endedAt)})`
					})
					.where(atMost(limit, g.id, due, skipLocked, [g.attempts]))
					.returning()
			);
			return leased.map(({ id, userId, clientId, endedAt, attempts }) => {
				return { id, userId, clientId, endedAt: endedAt ?? now, attempt: attempts };
			});
		},

		retryEnded: async ({ id, attempt }, at) => {
			await run(() =>
				db
					.update(g)
					.set({ dueAt: at })
					.where(and(eq(g.id, id), eq(g.attempts, attempt)))
					.returning({ id: g.id })
			);
		},

		put: (record, now) =>
			transaction((tx) => put(tx, record, liveGrant(now))).catch(unlessReferenceGone(false)),

		find: async (kind, hashes, now) => {
			const [found] = await run(() =>
				db
					.select({ hash: r.hash, content: r.content, consumedAt: r.consumedAt })
					.from(r)
					.leftJoin(g, eq(g.id, r.grantId))
					.leftJoin(session, eq(session.id, g.sessionId))
					.leftJoin(user, eq(user.id, g.userId))
					.where(
						and(
							inArray(r.hash, [...hashes]),
							eq(r.kind, kind),
							gt(r.expiresAt, now),
							or(isNull(r.grantId), liveGrant(now))
						)
					)
			);
			return found ?? null;
		},

		consume: async (hashes, now, keepUntil) => {
			// The guard is in the statement: of two exchanges of a code, one gets the row.
			const expiresAt = sql`case when ${r.expiresAt} < ${sql.param(keepUntil, r.expiresAt)} then ${r.expiresAt} else ${sql.param(keepUntil, r.expiresAt)} end`;
			const consumed = await run(() =>
				db
					.update(r)
					.set({ consumedAt: now, expiresAt })
					.where(and(inArray(r.hash, [...hashes]), isNull(r.consumedAt)))
					.returning({ hash: r.hash })
			);
			return consumed.length > 0;
		},

		remove: async (hashes) => {
			await run(() =>
				db
					.delete(r)
					.where(inArray(r.hash, [...hashes]))
					.returning({ hash: r.hash })
			);
		},

		removeOf: async (grantId) => {
			await run(() => db.delete(r).where(eq(r.grantId, grantId)).returning({ hash: r.hash }));
		},

		prune: (now, limit) => deleteSome(database, limit, r.hash, lte(r.expiresAt, now), [r.expiresAt])
	};
};

const listOf = (text: string): readonly string[] => text.split(' ').filter((one) => one !== '');

function* addKeys(
	tx: Transaction,
	keys: readonly SigningKey[],
	unless?: readonly string[]
): Work<void> {
	const { oidcKey: k } = tx.tables;
	if (unless !== undefined) {
		yield* tx.lockValue(KEYS_LOCK);
		const others = unless.length === 0 ? undefined : notInArray(k.id, [...unless]);
		const found = yield* rowsOf(tx.select({ id: k.id }).from(k).where(others).limit(1));
		if (found.length > 0) return;
	}
	yield tx
		.insert(k)
		.values([...keys])
		.returning({ id: k.id });
}

function* put(tx: Transaction, record: OidcRecord, live: SQL | undefined): Work<boolean> {
	const { oidcGrant: g, oidcRecord: r, session, user }: Tables = tx.tables;
	if (record.grantId !== null) {
		const found = yield* rowsOf(
			tx
				.select({ id: g.id })
				.from(g)
				.innerJoin(session, eq(session.id, g.sessionId))
				.innerJoin(user, eq(user.id, g.userId))
				.where(and(eq(g.id, record.grantId), live))
		);
		if (found.length === 0) return false;
	}
	const { content, expiresAt } = record;
	yield tx
		.insert(r)
		.values(record)
		.onConflictDoUpdate({ target: r.hash, set: { content, expiresAt } })
		.returning({ hash: r.hash });
	return true;
}

/** Returns `gone` if a row that the statement refers to no longer exists. */
const unlessReferenceGone =
	<T>(gone: T) =>
	(error: unknown): T => {
		const codes = ['23503', 'SQLITE_CONSTRAINT_FOREIGNKEY'];
		if (error instanceof StoreUnavailable && codes.includes(error.reason)) return gone;
		throw error;
	};
