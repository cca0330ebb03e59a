import { isNotNull } from 'drizzle-orm';
import type { Email } from '#lib/domain/email.ts';
import type { UserId } from '#lib/domain/ids.ts';
import type { Role } from '#lib/domain/user.ts';
import type { Columns } from '../columns.ts';

export const accountTables = (columns: Columns) => {
	const { table, id, text, byteOrderedText, flag, instant, index, unique } = columns;
	const user = table(
		'user',
		{
			id: id('id').$type<UserId>().primaryKey(),
			email: byteOrderedText('email').$type<Email>().notNull().unique('user_email_unique'),
			emailVerified: flag('email_verified').notNull(),
			name: text('name').notNull().default(''),
			image: text('image'),
			createdAt: instant('created_at').notNull(),
			updatedAt: instant('updated_at').notNull(),
			deletedAt: instant('deleted_at'),
			blockedAt: instant('blocked_at'),
			role: text('role').$type<Role>()
		},
		// Partial, because few accounts are deleted at any time.
		(t) => [index('user_deleted_at_index').on(t.deletedAt).where(isNotNull(t.deletedAt))]
	);

	/** The account of a row, which is removed with its account unless `onDelete` says otherwise. */
	const userId = (onDelete: 'cascade' | 'no action' = 'cascade') =>
		id('user_id')
			.$type<UserId>()
			.references(() => user.id, { onDelete });

	/** Accounts at other providers, for later use. Passwordless sign-in writes no rows here. */
	const linkedAccount = table(
		'account',
		{
			id: id('id').primaryKey(),
			userId: userId().notNull(),
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

	return { user, userId, linkedAccount };
};

export type UserIdColumn = ReturnType<typeof accountTables>['userId'];
