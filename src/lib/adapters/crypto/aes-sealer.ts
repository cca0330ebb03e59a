import { createCipheriv, createDecipheriv, randomBytes, type KeyObject } from 'node:crypto';
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
		for (const key of keys) {
			const text = openUnder(key, bytes, context);
			if (text !== null) return text;
		}
		return null;
	}
});

const openUnder = (key: KeyObject, bytes: Buffer, context: string): string | null => {
	try {
		const nonce = bytes.subarray(0, NONCE_BYTES);
		const decipher = createDecipheriv('aes-256-gcm', key, nonce)
			.setAAD(Buffer.from(context))
			.setAuthTag(bytes.subarray(-TAG_BYTES));
		const opened = [decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()];
		return Buffer.concat(opened).toString('utf8');
	} catch {
		return null;
	}
};
