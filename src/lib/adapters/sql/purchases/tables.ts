import type { Email } from '#lib/domain/email.ts';
import type { PurchaseId } from '#lib/domain/ids.ts';
import type { Purchase } from '#lib/domain/purchases/ports.ts';
import type { Columns } from '../columns.ts';
import type { UserIdColumn } from '../account/tables.ts';

export const purchaseTables = (
	{ table, id, text, instant, index }: Columns,
	userId: UserIdColumn
) => ({
	purchase: table(
		'purchase',
		{
			id: id('id').$type<PurchaseId>().primaryKey(),
			email: text('email').$type<Email>().notNull(),
			userId: userId(),
			reference: text('reference')
				.$type<Purchase['reference']>()
				.notNull()
				.unique('purchase_reference_unique'),
			product: text('product').notNull(),
			status: text('status').$type<Purchase['status']>().notNull(),
			createdAt: instant('created_at').notNull()
		},
		(t) => [index('purchase_email_index').on(t.email), index('purchase_user_id_index').on(t.userId)]
	)
});
