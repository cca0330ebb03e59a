import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { Sealer } from '#lib/domain/ports.ts';
import type { KeyRing } from './keys.ts';

/** NIST SP 800-38D: a nonce of 96 bits and a full tag. */
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** The context is the additional data. During a rotation, earlier keys still open. */
export const aesSealer = (keys: KeyRing): Sealer => ({
	seal: (text, context) => {
		const nonce = randomBytes(NONCE_BYTES);
		const cipher = createCipheriv('aes-256-gcm', keys[0], nonce).setAAD(Buffer.from(context));
		const sealed = [cipher.update(text, 'utf8'), cipher.final()];
		return Buffer.concat([nonce, ...sealed, cipher.getAuthTag()]).toString('base64url');
	},

	open: (sealed, context) => {
		const bytes = Buffer.from(sealed, 'base64url');
		if (bytes.length < NONCE_BYTES + TAG_BYTES) return null;
		const nonce = bytes.subarray(0, NONCE_BYTES);
		for (const key of keys) {
			try {
				const decipher = createDecipheriv('aes-256-gcm', key, nonce)
					.setAAD(Buffer.from(context))
					.setAuthTag(bytes.subarray(-TAG_BYTES));
				const text = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES), undefined, 'utf8');
				return text + decipher.final('utf8');
			} catch {
				// Another key may open it.
			}
		}
		return null;
	}
});
