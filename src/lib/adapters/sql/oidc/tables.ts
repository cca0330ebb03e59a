import { isNull } from 'drizzle-orm';
import type { OidcClientId, SessionId } from '#lib/domain/ids.ts';
import type { GrantId, OidcClient } from '#lib/domain/oidc/ports.ts';
import type { SecretHash } from '#lib/domain/secret.ts';
import type { UserIdColumn } from '../account/tables.ts';
import type { Columns } from '../columns.ts';
import type { SessionTables } from '../sessions/tables.ts';

export const oidcTables = (
	{ table, id, text, integer, flag, instant, index, uniqueIndex }: Columns,
	userId: UserIdColumn,
	{ session }: SessionTables
) => {
	const oidcClient = table('oidc_client', {
		id: id('id').$type<OidcClientId>().primaryKey(),
		name: text('name').notNull(),
		secretHash: text('secret_hash').$type<SecretHash>(),
		isNative: flag('is_native').notNull(),
		algorithm: text('algorithm').$type<OidcClient['algorithm']>().notNull(),
		redirectUris: text('redirect_uris').notNull(),
		afterLogoutUris: text('after_logout_uris').notNull(),
		logoutUri: text('logout_uri'),
		createdAt: instant('created_at').notNull()
	});

	const oidcKey = table('oidc_key', {
		id: id('id').primaryKey(),
		content: text('content').notNull(),
		signsFrom: instant('signs_from').notNull()
	});

	const oidcGrant = table(
		'oidc_grant',
		{
			id: id('id').$type<GrantId>().primaryKey(),
			userId: userId().notNull(),
			clientId: id('client_id')
				.$type<OidcClientId>()
				.notNull()
				.references(() => oidcClient.id, { onDelete: 'cascade' }),
			/** Null once the session has ended. The row then waits until the application knows. */
			sessionId: id('session_id')
				.$type<SessionId>()
				.references(() => session.id, { onDelete: 'set null' }),
			signedInAt: instant('signed_in_at').notNull(),
			/** The next attempt to tell the application once the session has ended. */
			dueAt: instant('due_at').notNull(),
			attempts: integer('attempts').notNull().default(0)
		},
		(t) => [
			uniqueIndex('oidc_grant_session_unique').on(t.sessionId, t.clientId),
			index('oidc_grant_user_index').on(t.userId),
			index('oidc_grant_client_index').on(t.clientId),
			index('oidc_grant_ended_index').on(t.dueAt).where(isNull(t.sessionId))
		]
	);

	const oidcRecord = table(
		'oidc_record',
		{
			hash: text('hash').$type<SecretHash>().primaryKey(),
			grantId: id('grant_id')
				.$type<GrantId>()
				.notNull()
				.references(() => oidcGrant.id, { onDelete: 'cascade' }),
			content: text('content').notNull(),
			expiresAt: instant('expires_at').notNull(),
			consumedAt: instant('consumed_at')
		},
		(t) => [
			index('oidc_record_grant_index').on(t.grantId),
			index('oidc_record_expires_at_index').on(t.expiresAt)
		]
	);

	return { oidcClient, oidcKey, oidcGrant, oidcRecord };
};
