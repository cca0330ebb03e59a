import { randomBytes, randomUUID } from 'node:crypto';
import { hmacSecretHasher } from '#lib/adapters/crypto/hmac.ts';
import { deriveKeys } from '#lib/adapters/crypto/keys.ts';
import type { SessionToken } from '#lib/domain/secret.ts';
import { TEST_SECRET } from '../process/built-server.ts';
import { newAddress, times } from './client.ts';
import type { Database } from './database.ts';

const hasher = hmacSecretHasher(deriveKeys(TEST_SECRET, [], 'session-token'));

/**
 * Tokens of new users, one each, for a test that needs hundreds. It writes their rows to SQLite,
 * because each sign-in takes two requests and an email.
 */
export const plantSessions = async (
	database: Database,
	count: number
): Promise<readonly string[]> => {
	const now = Date.now();
	const people = times(count, () => ({
		user: randomUUID(),
		token: randomBytes(32).toString('base64url') as SessionToken
	}));
	await database.rows(
		`insert into "user" (id, email, email_verified, created_at, updated_at) values ${people
			.map(({ user }) => `('${user}', '${newAddress('planted')}', 1, ${now}, ${now})`)
			.join()}`
	);
	await database.rows(
		`insert into user_data (user_id) values ${people.map(({ user }) => `('${user}')`).join()}`
	);
	await database.rows(
		`insert into session (id, token_hash, user_id, expires_at, created_at, updated_at, ip_address, user_agent)
		values ${people
			.map(
				({ user, token }) =>
					`('${randomUUID()}', '${hasher.ofToken(token)}', '${user}', ${now + 86_400_000}, ${now}, ${now}, '', '')`
			)
			.join()}`
	);
	return people.map(({ token }) => token);
};
