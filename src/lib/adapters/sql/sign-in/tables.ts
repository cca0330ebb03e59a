import { isNotNull } from 'drizzle-orm';
import type { Email } from '#lib/domain/email.ts';
import type { ChallengeId, SessionId } from '#lib/domain/ids.ts';
import type { Binding, Purpose } from '#lib/domain/sign-in/ports.ts';
import type { Columns } from '../columns.ts';
import type { SessionTables } from '../sessions/tables.ts';

export const challengeTables = (
	{ table, id, text, integer, instant, index, uniqueIndex }: Columns,
	{ session }: SessionTables
) => ({
	verification: table(
		'verification',
		{
			id: id('id').$type<ChallengeId>().primaryKey(),
			purpose: text('purpose').$type<Purpose>().notNull(),
			email: text('email').$type<Email>().notNull(),
			/**
			 * The hash of a code key or restore token, or the id of an account or session. Empty, not
			 * null, when bound to the email address alone: a unique index would treat nulls as different.
			 */
			binding: text('binding').$type<Binding | ''>().notNull(),
			/** The row is removed with this session, however it ends. */
			requestedBy: id('session_id')
				.$type<SessionId>()
				.references(() => session.id, { onDelete: 'cascade' }),
			secretHash: text('hash').notNull(),
			attemptsUsed: integer('attempts').notNull(),
			expiresAt: instant('expires_at').notNull(),
			createdAt: instant('created_at').notNull(),
			bouncedAt: instant('bounced_at')
		},
		(t) => [
			uniqueIndex('verification_bound_unique').on(t.purpose, t.email, t.binding),
			index('verification_binding_index').on(t.binding, t.purpose, t.createdAt),
			index('verification_expires_at_index').on(t.expiresAt),
			// Partial, because few challenges belong to a session.
			index('verification_session_id_index').on(t.requestedBy).where(isNotNull(t.requestedBy))
		]
	)
});
