import { isNotNull } from 'drizzle-orm';
import { index, integer, sqliteTable, text, unique, uniqueIndex } from 'drizzle-orm/sqlite-core';
import type { Binding, Purpose } from '#lib/domain/sign-in/challenge.ts';
import type { Email } from '#lib/domain/email.ts';
import type { ChallengeId, SessionId, UserId } from '#lib/domain/ids.ts';
import type { SecretHash } from '#lib/domain/secret.ts';
import { instant } from './instant.ts';

export const user = sqliteTable(
	'user',
	{
		id: text('id').$type<UserId>().primaryKey(),
		email: text('email').$type<Email>().notNull().unique('user_email_unique'),
		emailVerified: integer('email_verified', { mode: 'boolean' }).notNull(),
		name: text('name').notNull().default(''),
		image: text('image'),
		createdAt: instant('created_at').notNull(),
		updatedAt: instant('updated_at').notNull(),
		/**
		 * When the account was deleted. Null while it is active. It can be restored during the grace
		 * period.
		 */
		deletedAt: instant('deleted_at')
	},
	// Partial, because few accounts are deleted at any time.
	(t) => [index('user_deleted_at_index').on(t.deletedAt).where(isNotNull(t.deletedAt))]
);

export const session = sqliteTable(
	'session',
	{
		id: text('id').$type<SessionId>().primaryKey(),
		tokenHash: text('token_hash').$type<SecretHash>().notNull().unique('session_token_hash_unique'),
		userId: text('user_id')
			.$type<UserId>()
			.notNull()
			.references(() => user.id, { onDelete: 'cascade' }),
		expiresAt: instant('expires_at').notNull(),
		createdAt: instant('created_at').notNull(),
		updatedAt: instant('updated_at').notNull(),
		ipAddress: text('ip_address').notNull(),
		userAgent: text('user_agent').notNull()
	},
	(t) => [
		index('session_user_id_index').on(t.userId),
		index('session_expires_at_index').on(t.expiresAt)
	]
);

/** Accounts at other providers, for later use. Passwordless sign-in writes no rows here. */
export const account = sqliteTable(
	'account',
	{
		id: text('id').primaryKey(),
		userId: text('user_id')
			.$type<UserId>()
			.notNull()
			.references(() => user.id, { onDelete: 'cascade' }),
		providerId: text('provider_id').notNull(),
		accountId: text('account_id').notNull(),
		createdAt: instant('created_at').notNull(),
		updatedAt: instant('updated_at').notNull()
	},
	(t) => [
		unique('account_provider_unique').on(t.providerId, t.accountId),
		index('account_user_id_index').on(t.userId)
	]
);

export const verification = sqliteTable(
	'verification',
	{
		id: text('id').$type<ChallengeId>().primaryKey(),
		purpose: text('purpose').$type<Purpose>().notNull(),
		email: text('email').$type<Email>().notNull(),
		/**
		 * The hash of a browser key or restore token, or the id of an account or session. Empty when
		 * bound to the address alone: a unique index would treat nulls as different.
		 */
		binding: text('binding').$type<Binding | ''>().notNull(),
		/**
		 * The session that requested it. The row is removed with that session, however the session
		 * ends.
		 */
		sessionId: text('session_id')
			.$type<SessionId>()
			.references(() => session.id, { onDelete: 'cascade' }),
		hash: text('hash').notNull(),
		attempts: integer('attempts').notNull(),
		expiresAt: instant('expires_at').notNull(),
		createdAt: instant('created_at').notNull()
	},
	(t) => [
		uniqueIndex('verification_bound_unique').on(t.purpose, t.email, t.binding),
		index('verification_binding_index').on(t.binding, t.purpose, t.createdAt),
		index('verification_expires_at_index').on(t.expiresAt),
		// Partial, because few challenges belong to a session.
		index('verification_session_id_index').on(t.sessionId).where(isNotNull(t.sessionId))
	]
);

/**
 * The last five send times of a mailbox, newest first, and an address's wrong guesses in a row.
 */
export const authThrottle = sqliteTable(
	'auth_throttle',
	{
		email: text('email').$type<Email>().primaryKey(),
		sentAt1: instant('sent_at_1'),
		sentAt2: instant('sent_at_2'),
		sentAt3: instant('sent_at_3'),
		sentAt4: instant('sent_at_4'),
		sentAt5: instant('sent_at_5'),
		failures: integer('failures').notNull().default(0),
		failedAt: instant('failed_at')
	},
	// Pruning finds rows without a failure by their last send, and other rows by their last
	// failure.
	(t) => [index('auth_throttle_prune_index').on(t.failedAt, t.sentAt1)]
);
