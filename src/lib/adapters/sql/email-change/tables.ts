import type { Email } from '#lib/domain/email.ts';
import type { UndoId, UserId } from '#lib/domain/ids.ts';
import type { Columns } from '../columns.ts';
import type { AccountTables } from '../account/tables.ts';

/** Email addresses that an account left lately, and that can have it back. */
export const undoTables = (
	{ table, id, text, integer, instant, index, uniqueIndex }: Columns,
	{ user }: AccountTables
) => {
	const emailUndo = table(
		'email_undo',
		{
			id: id('id').$type<UndoId>().primaryKey(),
			userId: id('user_id')
				.$type<UserId>()
				.notNull()
				.references(() => user.id, { onDelete: 'cascade' }),
			email: text('email').$type<Email>().notNull(),
			/** The place among the rights of the account. Times give no order: clocks can be set back. */
			depth: integer('depth').notNull(),
			expiresAt: instant('expires_at').notNull()
		},
		(t) => [
			uniqueIndex('email_undo_email_unique').on(t.email),
			index('email_undo_user_index').on(t.userId, t.depth),
			index('email_undo_expires_at_index').on(t.expiresAt)
		]
	);

	return { emailUndo };
};
