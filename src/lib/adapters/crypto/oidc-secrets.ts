import { createHmac, generateKeyPair, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import type { OidcSecrets } from '#lib/domain/oidc/use-cases.ts';
import type { SecretHash } from '#lib/domain/secret.ts';
import { aesSealer } from './aes-sealer.ts';
import type { KeyRing } from './keys.ts';

const makePair = promisify(generateKeyPair);

/** HMAC-SHA-256, AES-256-GCM, and keys for signatures. */
export const oidcSecrets = (hashKeys: KeyRing, sealKeys: KeyRing): OidcSecrets => {
	const hash = (key: KeyObject, text: string): SecretHash =>
		createHmac('sha256', key).update(text).digest('base64url') as SecretHash;
	return {
		hashes: (text) => [
			hash(hashKeys.current, text),
			...hashKeys.earlier.map((key) => hash(key, text))
		],
		sealer: aesSealer(sealKeys),
		newKey: async (algorithm) => {
			const { privateKey } =
				algorithm === 'RS256'
					? await makePair('rsa', { modulusLength: 2048 })
					: await makePair('ec', { namedCurve: 'P-256' });
			return JSON.stringify(privateKey.export({ format: 'jwk' }));
		}
	};
};
