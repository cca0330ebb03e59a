import type { Email } from '#lib/domain/email.ts';
import type { DeviceId, SessionId } from '#lib/domain/ids.ts';
import type { SecretHash } from '#lib/domain/secret.ts';
import type { Columns } from '../columns.ts';
import type { UserIdColumn } from '../account/tables.ts';

/** Live sessions, and the devices of accounts. A session that ends is deleted. */
export const sessionTables = (
	{ table, id, text, flag, instant, index, uniqueIndex }: Columns,
	userId: UserIdColumn
) => {
	const session = table(
		'session',
		{
			id: id('id').$type<SessionId>().primaryKey(),
			tokenHash: text('token_hash')
				.$type<SecretHash>()
				.notNull()
				.unique('session_token_hash_unique'),
			userId: userId().notNull(),
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

	const device = table(
		'device',
		{
			/** Stays while the account knows the device, so that sessions can refer to it. */
			id: id('id').$type<DeviceId>().primaryKey(),
			keyHash: text('key_hash').$type<SecretHash>().notNull(),
			userId: userId().notNull(),
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

	return { session, device };
};

export type SessionTables = ReturnType<typeof sessionTables>;
