import { createSecretKey, randomBytes } from 'node:crypto';
import { hmacSecretHasher } from '#lib/adapters/crypto/hmac.ts';
import type { UnsubscribeToken } from '#lib/domain/secret.ts';
import type { Database } from './database.ts';

/**
 * The token of an unsubscribe link of an account. Only code inside the server can make a link, so
 * this stores the hash of a random token, as the server does. The hash needs no key.
 */
export const unsubscribeTokenOf = async (
	{ rows }: Pick<Database, 'rows'>,
	email: string
): Promise<string> => {
	const token = randomBytes(32).toString('base64url');
	const anyKey = createSecretKey(randomBytes(32));
	const { ofUnsubscribeToken } = hmacSecretHasher({ current: anyKey, earlier: [] });
	await rows(
		`insert into unsubscribe_link (token_hash, user_id, created_at)
			select '${ofUnsubscribeToken(token as UnsubscribeToken)}', id, created_at from "user"
			where email = '${email}'`
	);
	return token;
};
