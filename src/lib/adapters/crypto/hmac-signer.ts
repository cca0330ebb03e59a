import { createHmac, timingSafeEqual, type KeyObject } from 'node:crypto';
import type { Signer } from '#lib/domain/ports.ts';
import type { KeyRing } from './keys.ts';

/** HMAC-SHA-256. During a rotation, signatures of earlier keys stay valid. */
export const hmacSigner = (keys: KeyRing): Signer => {
	const mac = (key: KeyObject, context: string): Buffer =>
		createHmac('sha256', key).update(context).digest();
	return {
		sign: (context) => mac(keys.current, context).toString('base64url'),
		verify: (signature, context) => {
			const given = Buffer.from(signature, 'base64url');
			return [keys.current, ...keys.earlier].some((key) => {
				const expected = mac(key, context);
				return given.length === expected.length && timingSafeEqual(given, expected);
			});
		}
	};
};
