import type { DeviceId, SessionId, UserId } from '#lib/domain/ids.ts';
import type { SecretHash } from '#lib/domain/secret.ts';
import type { Columns } from '../columns.ts';
import type { AccountTables } from '../account/tables.ts';

/** Live sessions. A session that ends is deleted. */
export const sessionTables = (
	{ table, id, text, instant, index }: Columns,
	{ user }: AccountTables
) => {
	const session = table(
		'session',
		{
			id: id('id').$type<SessionId>().primaryKey(),
			tokenHash: text('token_hash')
				.$type<SecretHash>()
				.notNull()
				.unique('session_token_hash_unique'),
			userId: id('user_id')
				.$type<UserId>()
				.notNull()
				.references(() => user.id, { onDelete: 'cascade' }),
			expiresAt: instant('expires_at').notNull(),
			createdAt: instant('created_at').notNull(),
			updatedAt: instant('updated_at').notNull(),
			ipAddress: text('ip_address').notNull(),
			userAgent: text('user_agent').notNull(),
			/** Not a foreign key: the device can be dropped, and its id is never used again. */
			deviceId: id('device_id').$type<DeviceId>()
		},
		(t) => [
			index('session_user_id_index').on(t.userId),
			index('session_expires_at_index').on(t.expiresAt),
			index('session_device_index').on(t.deviceId)
		]
	);

	return { session };
};

export type SessionTables = ReturnType<typeof sessionTables>;
