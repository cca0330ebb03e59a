import { generateKeyPairSync } from 'node:crypto';
import type { DnsZone } from './dns-zone.ts';

/** The key of a DKIM record, and the records of a sender without any fault. */

const made = new Map<number, string>();

/** A public RSA key as DKIM records contain it. Generated once for each size. */
export const rsaKey = (bits = 2048): string => {
	const known = made.get(bits);
	if (known !== undefined) return known;
	const { publicKey } = generateKeyPairSync('rsa', { modulusLength: bits });
	const key = publicKey.export({ type: 'spki', format: 'der' }).toString('base64');
	made.set(bits, key);
	return key;
};

/** A public Ed25519 key: the bare 32 bytes, or in the structure of other keys. */
export const ed25519Key = (form: 'raw' | 'spki' = 'raw'): string => {
	const der = generateKeyPairSync('ed25519').publicKey.export({ type: 'spki', format: 'der' });
	return (form === 'raw' ? der.subarray(-32) : der).toString('base64');
};

export const dkimKey = (bits = 2048): string => `v=DKIM1; k=rsa; p=${rsaKey(bits)}`;

/** example.org, which sends through its own mail server with the selector `mail`. */
export const soundZone = (changes: DnsZone = {}): DnsZone => ({
	'example.org': {
		txt: ['v=spf1 mx -all', 'other=text'],
		mx: [[10, 'mx.example.org']],
		a: ['192.0.2.1']
	},
	'mx.example.org': { a: ['192.0.2.2'] },
	'mail._domainkey.example.org': { txt: [dkimKey()] },
	'_dmarc.example.org': { txt: ['v=DMARC1; p=reject; rua=mailto:dmarc@example.org'] },
	...changes
});
