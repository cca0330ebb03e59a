import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { Email } from '#lib/domain/email.ts';
import type { PurchaseId, UserId } from '#lib/domain/ids.ts';
import type { PurchaseReference, PurchaseStatus } from '#lib/domain/purchases/purchase.ts';
import { user } from './auth-tables.ts';
import { instant } from './instant.ts';

export const userData = sqliteTable('user_data', {
	userId: text('user_id')
		.$type<UserId>()
		.primaryKey()
		.references(() => user.id, { onDelete: 'cascade' }),
	marketingOptIn: integer('marketing_opt_in', { mode: 'boolean' }).notNull().default(false),
	marketingOptInAt: instant('marketing_opt_in_at'),
	isTrialEligible: integer('is_trial_eligible', { mode: 'boolean' }).notNull().default(true)
});

/** Purchases, also those made without an account. The application's payment webhook adds them. */
export const purchase = sqliteTable(
	'purchase',
	{
		id: text('id').$type<PurchaseId>().primaryKey(),
		email: text('email').$type<Email>().notNull(),
		userId: text('user_id')
			.$type<UserId>()
			.references(() => user.id, { onDelete: 'cascade' }),
		reference: text('reference')
			.$type<PurchaseReference>()
			.notNull()
			.unique('purchase_reference_unique'),
		product: text('product').notNull(),
		status: text('status').$type<PurchaseStatus>().notNull(),
		createdAt: instant('created_at').notNull()
	},
	(t) => [index('purchase_email_index').on(t.email), index('purchase_user_id_index').on(t.userId)]
);

/** Claimed daily tasks, one row per task and day. */
export const taskRun = sqliteTable(
	'task_run',
	{ task: text('task').notNull(), day: text('day').notNull() },
	(t) => [primaryKey({ name: 'task_run_pk', columns: [t.task, t.day] })]
);
