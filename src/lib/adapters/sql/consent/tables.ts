import type { ConsentRecord } from '#lib/domain/consent/ports.ts';
import type { Email } from '#lib/domain/email.ts';
import type { ConsentRecordId } from '#lib/domain/ids.ts';
import type { SecretHash } from '#lib/domain/secret.ts';
import type { Columns } from '../columns.ts';
import type { UserIdColumn } from '../account/tables.ts';

export const consentTables = (
	{ table, id, text, flag, instant, index }: Columns,
	userId: UserIdColumn
) => {
	const userData = table('user_data', {
		userId: userId().primaryKey(),
		marketingOptIn: flag('marketing_opt_in').notNull().default(false),
		marketingOptInAt: instant('marketing_opt_in_at'),
		isTrialEligible: flag('is_trial_eligible').notNull().default(true)
	});

	/** The reference has no rule for deletion, so only the purge can remove a user with records. */
	const consentRecord = table(
		'consent_record',
		{
			id: id('id').$type<ConsentRecordId>().primaryKey(),
			userId: userId('no action'),
			purpose: text('purpose').$type<ConsentRecord['purpose']>().notNull(),
			action: text('action').$type<ConsentRecord['action']>().notNull(),
			at: instant('at').notNull(),
			source: text('source').$type<ConsentRecord['source']>().notNull(),
			place: text('place'),
			wording: text('wording'),
			wordingVersion: text('wording_version'),
			email: text('email').$type<Email>()
		},
		(t) => [index('consent_record_user_index').on(t.userId, t.at)]
	);

	const unsubscribeLink = table(
		'unsubscribe_link',
		{
			tokenHash: text('token_hash').$type<SecretHash>().primaryKey(),
			userId: userId().notNull(),
			createdAt: instant('created_at').notNull()
		},
		(t) => [index('unsubscribe_link_user_id_index').on(t.userId)]
	);

	return { userData, consentRecord, unsubscribeLink };
};
