import { and, asc, desc, eq, gt, inArray, isNull, lte, notInArray, sql } from 'drizzle-orm';
import type { EndedLease, OidcStore } from '#lib/domain/oidc/ports.ts';
import { atMost, deleteSome, userColumns } from '../rows.ts';
import { onViolation, rowsOf, type Sql } from '../sql.ts';

/** Keys are added under this lock. */
const KEYS_LOCK = 'oidc keys';

export const sqlOidcStore = (database: Sql): OidcStore => {
	const { db, tables, run, transaction, skipLocked } = database;
	const { oidcClient: c, oidcKey: k, oidcGrant: g, oidcRecord: r, session, user } = tables;

	const write = async (statement: PromiseLike<unknown>): Promise<void> => {
		await run(() => statement);
	};

	/** Of an ended grant, while it has this lease: it was not leased again. */
	const isHeld = ({ id, attempt }: EndedLease) => and(eq(g.id, id), eq(g.attempts, attempt));

	const isChanged = async (statement: PromiseLike<readonly unknown[]>): Promise<boolean> =>
		(await run(() => statement)).length > 0;

	const endGrants = (condition: ReturnType<typeof and>): Promise<void> =>
		write(db.update(g).set({ sessionId: null }).where(condition));

	/** Joins the session of a grant that is live. */
	const isLive = (now: Date) => and(eq(session.id, g.sessionId), gt(session.expiresAt, now));

	return {
		addClient: (client) => write(db.insert(c).values(client)),

		clients: () => run(() => db.select().from(c).orderBy(asc(c.createdAt), asc(c.id))),

		rehashSecret: (id, from, to) => {
			const isMeant = and(eq(c.id, id), eq(c.secretHash, from));
			return write(db.update(c).set({ secretHash: to }).where(isMeant));
		},

		removeClient: (id) => isChanged(db.delete(c).where(eq(c.id, id)).returning({ id: c.id })),

		keys: () => run(() => db.select().from(k).orderBy(desc(k.signsFrom), desc(k.id))),

		addKeys: (keys, known) =>
			transaction(function* (tx) {
				yield* tx.lockValue(KEYS_LOCK);
				const isOther = notInArray(k.id, [...known]);
				const others = yield* rowsOf(tx.select({ id: k.id }).from(k).where(isOther).limit(1));
				if (others.length === 0) yield tx.insert(k).values(keys);
			}),

		openGrant: async (grant) => {
			const { signedInAt } = grant;
			const [stored] = await run(() =>
				db
					.insert(g)
					.values({ ...grant, dueAt: signedInAt })
					.onConflictDoUpdate({ target: [g.sessionId, g.clientId], set: { signedInAt } })
					.returning({ id: g.id })
			).catch(onViolation('reference', []));
			return stored?.id ?? null;
		},

		findGrant: async (id, now) => {
			const [found] = await run(() =>
				db
					.select({ user: userColumns(tables), clientId: g.clientId, sessionId: session.id })
					.from(g)
					.innerJoin(session, isLive(now))
					.innerJoin(user, eq(user.id, g.userId))
					.where(and(eq(g.id, id), isNull(user.deletedAt)))
			);
			return found ?? null;
		},

		endGrant: (id) => endGrants(eq(g.id, id)),

		endGrants: (userId, clientId) => endGrants(and(eq(g.userId, userId), eq(g.clientId, clientId))),

		applicationsOf: (userId, now) => {
			const signedInAt = sql`max(${g.signedInAt})`.mapWith(g.signedInAt);
			return run(() =>
				db
					.select({ clientId: g.clientId, name: c.name, signedInAt })
					.from(g)
					.innerJoin(c, eq(c.id, g.clientId))
					.innerJoin(session, isLive(now))
					.where(eq(g.userId, userId))
					.groupBy(g.clientId, c.name)
					.orderBy(desc(signedInAt))
			);
		},

		leaseEnded: async (now, until, limit) => {
			const isDue = and(isNull(g.sessionId), lte(g.dueAt, now));
			// Most calls find nothing, and then no write lock is needed.
			const found = await run(() => db.select({ id: g.id }).from(g).where(isDue).limit(1));
			if (found.length === 0) return [];
			return run(() =>
				db
					.update(g)
					.set({ dueAt: until, attempts: sql`${g.attempts} + 1` })
					.where(atMost(limit, g.id, isDue, skipLocked, [g.dueAt]))
					.returning({ id: g.id, userId: g.userId, clientId: g.clientId, attempt: g.attempts })
			);
		},

		removeEnded: (lease) => write(db.delete(g).where(isHeld(lease))),

		retryEnded: (lease, at) => write(db.update(g).set({ dueAt: at }).where(isHeld(lease))),

		addRecord: async (record) => {
			const added = run(() => db.insert(r).values(record).returning({ hash: r.hash }));
			return (await added.catch(onViolation('reference', []))).length > 0;
		},

		findRecord: async (hashes, now) => {
			const [found] = await run(() =>
				db
					.select({ hash: r.hash, content: r.content, consumedAt: r.consumedAt })
					.from(r)
					.innerJoin(g, eq(g.id, r.grantId))
					.innerJoin(session, isLive(now))
					.where(and(inArray(r.hash, [...hashes]), gt(r.expiresAt, now)))
			);
			return found ?? null;
		},

		consumeRecord: (hashes, now, keepUntil) =>
			// The guard is in the statement: of two exchanges of a code, one gets the row.
			isChanged(
				db
					.update(r)
					.set({ consumedAt: now, expiresAt: keepUntil })
					.where(and(inArray(r.hash, [...hashes]), isNull(r.consumedAt)))
					.returning({ hash: r.hash })
			),

		removeRecords: (hashes) => write(db.delete(r).where(inArray(r.hash, [...hashes]))),

		prune: (now, limit) => deleteSome(database, limit, r.hash, lte(r.expiresAt, now), [r.expiresAt])
	};
};
