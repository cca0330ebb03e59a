import { expect } from '@playwright/test';
import { hmacSigner } from '#lib/adapters/crypto/hmac.ts';
import { deriveKeys } from '#lib/adapters/crypto/keys.ts';
import { messageName } from '#lib/domain/delivery/use-cases.ts';
import type { Email } from '#lib/domain/email.ts';
import type { MailId } from '#lib/domain/ids.ts';
import { openDatabase } from '../http/database.ts';
import { TEST_SECRET, type BuiltServer } from '../process/built-server.ts';

/** The credentials of the webhook of Postmark on the server that shows all pages. */
export const HOOK_PASSWORD = 'postern:a-long-random-password-1';

/** Reports that the email with the code of an address bounced, as Postmark does. */
export const reportBounce = async (server: BuiltServer, email: string): Promise<void> => {
	const database = openDatabase(server.databaseUrl);
	const [row] = await database.rows(`select id from verification where email = '${email}'`);
	await database.close();
	const signer = hmacSigner(deriveKeys(TEST_SECRET, [], 'message-id'));
	const name = messageName(signer, row?.['id'] as MailId, email as Email);
	const event = { RecordType: 'Bounce', Type: 'HardBounce', Email: email, BouncedAt: new Date() };
	const answer = await fetch(`${server.address}/api/hooks/mail/postmark`, {
		method: 'POST',
		body: JSON.stringify({ ...event, Metadata: { 'message-id': name } }),
		headers: {
			'content-type': 'application/json',
			authorization: `Basic ${Buffer.from(HOOK_PASSWORD).toString('base64')}`
		}
	});
	expect(answer.status).toBe(200);
};
