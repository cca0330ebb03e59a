import { createHmac } from 'node:crypto';
import type { Network } from '#lib/domain/client.ts';
import type { KeyRing } from './keys.ts';

/** 96 bits: two networks never share a count by accident, and each row stays short. */
const LENGTH = 16;

/**
 * HMAC-SHA-256, shortened. IPv4 has only 16 million networks, so without a key each hash could be
 * found by trying them. During a rotation of the secret only the current key is used: a network then
 * counts as new, and its counts last an hour anyway.
 */
export const hmacNetworkHasher =
	(keys: KeyRing): ((network: string) => Network) =>
	(network) =>
		createHmac('sha256', keys.current)
			.update(network)
			.digest('base64url')
			.slice(0, LENGTH) as Network;
