import type { UserId } from '#lib/domain/ids.ts';
import type { Columns } from '../columns.ts';
import type { AccountTables } from '../account/tables.ts';

/** Consent and other data of the application, stored beside the account. */
export const consentTables = ({ table, id, flag, instant }: Columns, { user }: AccountTables) => {
	const userData = table('user_data', {
		userId: id('user_id')
			.$type<UserId>()
			.primaryKey()
			.references(() => user.id, { onDelete: 'cascade' }),
		marketingOptIn: flag('marketing_opt_in').notNull().default(false),
		marketingOptInAt: instant('marketing_opt_in_at'),
		isTrialEligible: flag('is_trial_eligible').notNull().default(true)
	});

	return { userData };
};
