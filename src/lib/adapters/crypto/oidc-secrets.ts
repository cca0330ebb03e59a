import { generateKeyPair } from 'node:crypto';
import { promisify } from 'node:util';
import type { OidcSecrets } from '#lib/domain/oidc/ports.ts';
import { aesSealer } from './aes-sealer.ts';
import { hmacHashes } from './hmac.ts';
import type { KeyRing } from './keys.ts';

const makePair = promisify(generateKeyPair);

export const oidcSecrets = (hashKeys: KeyRing, sealKeys: KeyRing): OidcSecrets => ({
	hashes: (text) => hmacHashes(hashKeys, text),
	sealer: aesSealer(sealKeys),
	newKeys: async (id) => {
		const pairs = {
			RS256: await makePair('rsa', { modulusLength: 2048 }),
			ES256: await makePair('ec', { namedCurve: 'P-256' })
		};
		const keys = Object.entries(pairs).map(([alg, { privateKey }]) => {
			return { ...privateKey.export({ format: 'jwk' }), alg, kid: `${id}-${alg}`, use: 'sig' };
		});
		return JSON.stringify(keys);
	}
});
