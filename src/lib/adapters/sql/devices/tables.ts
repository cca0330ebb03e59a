import type { Email } from '#lib/domain/email.ts';
import type { DeviceId, UserId } from '#lib/domain/ids.ts';
import type { SecretHash } from '#lib/domain/secret.ts';
import type { Columns } from '../columns.ts';
import type { AccountTables } from '../account/tables.ts';

export const deviceTables = (
	{ table, id, text, flag, instant, index, uniqueIndex }: Columns,
	{ user }: AccountTables
) => {
	const device = table(
		'device',
		{
			/** Stays when the key is replaced, so that sessions can refer to the device. */
			id: id('id').$type<DeviceId>().primaryKey(),
			keyHash: text('key_hash').$type<SecretHash>().notNull(),
			userId: id('user_id')
				.$type<UserId>()
				.notNull()
				.references(() => user.id, { onDelete: 'cascade' }),
			isKnown: flag('is_known').notNull().default(true),
			/** The email address that signed in there last. Null once the sign-in pages no longer offer it. */
			email: text('email').$type<Email>(),
			userAgent: text('user_agent').notNull(),
			createdAt: instant('created_at').notNull(),
			usedAt: instant('used_at').notNull()
		},
		(t) => [
			uniqueIndex('device_key_unique').on(t.keyHash, t.userId),
			index('device_user_index').on(t.userId, t.usedAt),
			index('device_used_at_index').on(t.usedAt)
		]
	);

	return { device };
};
