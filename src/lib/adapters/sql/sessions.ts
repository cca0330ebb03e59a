import { and, eq, gt, lte, sql } from 'drizzle-orm';
import type { Sessions } from '#lib/domain/ports/sessions.ts';
import { atMost, bound, sessionColumns, userColumns } from './rows.ts';
import type { Sql } from './sql.ts';

export const sqlSessions = ({ db, tables, ask, skipLocked }: Sql): Sessions => {
	const t = tables.session;

	const find = db
		.select({ user: userColumns(tables), session: sessionColumns(tables) })
		.from(t)
		.innerJoin(tables.user, eq(tables.user.id, t.userId))
		.where(
			and(eq(t.tokenHash, sql.placeholder('tokenHash')), gt(t.expiresAt, bound('now', t.expiresAt)))
		)
		.prepare('session_find');

	// The first one moves `updated_at` past the guard of all others.
	const refresh = db
		.update(t)
		.set({
			updatedAt: bound('now', t.updatedAt),
			expiresAt: bound('expiresAt', t.expiresAt)
		})
		.where(
			and(
				eq(t.id, sql.placeholder('id')),
				lte(t.updatedAt, bound('dueSince', t.updatedAt)),
				gt(t.expiresAt, bound('now', t.expiresAt))
			)
		)
		.returning(sessionColumns(tables))
		.prepare('session_refresh');

	const end = db
		.delete(t)
		.where(eq(t.tokenHash, sql.placeholder('tokenHash')))
		.returning({ id: t.id })
		.prepare('session_end');

	return {
		find: async (tokenHash, now) => {
			const [row] = await ask(() => find.execute({ tokenHash, now }));
			return row ?? null;
		},

		refresh: async (id, now, dueSince, expiresAt) => {
			const [row] = await ask(() => refresh.execute({ id, now, dueSince, expiresAt }));
			return row ?? null;
		},

		end: async (tokenHash) => {
			const [ended] = await ask(() => end.execute({ tokenHash }));
			return ended?.id ?? null;
		},

		prune: async (now, limit) => {
			const dead = lte(t.expiresAt, now);
			const gone = await ask(() =>
				db
					.delete(t)
					.where(atMost(limit, t.id, dead, skipLocked))
					.returning({ id: t.id })
			);
			return gone.length;
		}
	};
};
