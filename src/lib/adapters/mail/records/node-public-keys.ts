import { createPublicKey, type KeyObject } from 'node:crypto';
import type { PublicKeys } from '#lib/domain/delivery/records/dkim-key.ts';

const ED25519_BYTES = 32;

/** RFC 6376 names one structure and its examples use the other, so receivers read both. */
const parse = (der: Buffer): KeyObject | null => {
	for (const type of ['spki', 'pkcs1'] as const) {
		try {
			return createPublicKey({ key: der, format: 'der', type });
		} catch {
			// Not of this structure.
		}
	}
	return null;
};

export const nodePublicKeys = (): PublicKeys => ({
	read: (base64) => {
		const der = Buffer.from(base64, 'base64');
		if (der.length === ED25519_BYTES) return { type: 'raw', bits: 0 };
		const key = parse(der);
		if (key === null) return null;
		const type = key.asymmetricKeyType;
		const bits = key.asymmetricKeyDetails?.modulusLength ?? 0;
		return { type: type === 'rsa' || type === 'ed25519' ? type : 'other', bits };
	}
});
