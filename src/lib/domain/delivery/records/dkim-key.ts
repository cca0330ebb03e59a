import { good, isUsable, quote, warn, wrong, type Finding, type WantedRecord } from './finding.ts';
import { parseTags, tagValue, writeTags, type TagList } from './tag-list.ts';

/** Reads public keys, for which the domain has no means. */
export interface PublicKeys {
	/**
	 * The algorithm of an encoded key, and the bits of an RSA key. `raw` is 32 bytes without a
	 * structure, the form of an Ed25519 key in DKIM. Null if the bytes are no key.
	 */
	read(
		base64: string
	): { readonly type: 'rsa' | 'ed25519' | 'raw' | 'other'; readonly bits: number } | null;
}

/** Receivers refuse shorter RSA keys (RFC 8301), and should refuse keys under the second. */
const LEAST_BITS = 1024;
const ADVISED_BITS = 2048;
const BASE64 = /^(?:[a-z0-9+/]{4})*(?:[a-z0-9+/]{2}==|[a-z0-9+/]{3}=)?$/i;

/** Checks the text of a DKIM key record: RFC 6376, section 3.6.1. `replacement` is a new key. */
export const checkKey = (
	text: string,
	replacement: WantedRecord,
	keys: PublicKeys
): readonly Finding[] => {
	const list = parseTags(text.replaceAll('\\', ''));
	const mends: Record<string, string | null> = {};
	const problems: [make: typeof warn, text: string][] = [];
	const version = tagValue(list, 'v');
	if (text.includes('\\')) {
		problems.push([wrong, 'it contains backslashes. Your DNS panel needs the value without them']);
	}
	if (version !== null && (version !== 'DKIM1' || list.tags[0]?.[0] !== 'v')) {
		problems.push([wrong, '"v=DKIM1" must be its first tag']);
		mends['v'] = 'DKIM1';
	}
	for (const part of list.malformed) {
		problems.push([wrong, `${quote(part)} is not of the form name=value`]);
	}
	for (const name of list.repeated) {
		problems.push([wrong, `the tag ${quote(name)} appears more than once`]);
	}
	const flags = (tagValue(list, 't') ?? '').split(':').map((flag) => flag.trim());
	if (flags.includes('y')) {
		const kept = flags.filter((flag) => flag !== 'y').join(':');
		mends['t'] = kept === '' ? null : kept;
		const reason = 'test mode: with "t=y" receivers may treat the email as if it were not signed';
		problems.push([warn, reason]);
	}
	if (!permits(list, 'h', ['sha256'])) {
		problems.push([wrong, '"h" does not permit sha256, which signatures use']);
		mends['h'] = null;
	}
	if (!permits(list, 's', ['*', 'email'])) {
		problems.push([wrong, '"s" does not permit email']);
		mends['s'] = null;
	}
	const key = keyFindings(list, replacement, keys);
	// The mended record keeps the key, so it is no remedy for a key that is unusable.
	const isKeyUsable = isUsable(key);
	const mended = { ...replacement, type: 'TXT', value: writeTags(known(list), mends) } as const;
	const set = isKeyUsable ? mended : replacement;
	return [...problems.map(([make, text]) => make(text, set)), ...key];
};

const permits = (list: TagList, tag: string, values: readonly string[]): boolean => {
	const value = tagValue(list, tag);
	if (value === null) return true;
	return value.split(':').some((one) => values.includes(one.trim().toLowerCase()));
};

/** Without notes and unknown tags, which receivers ignore. */
const known = (list: TagList): TagList => ({
	...list,
	tags: list.tags
		.filter(([name]) => ['v', 'h', 'k', 'p', 's', 't'].includes(name))
		.map(([name, value]) => [name, name === 'p' ? value.replace(/\s/g, '') : value])
});

const keyFindings = (list: TagList, replacement: WantedRecord, keys: PublicKeys): Finding[] => {
	const base64 = tagValue(list, 'p')?.replace(/\s/g, '') ?? null;
	if (base64 === null) return [wrong('it has no key: the tag "p" is missing', replacement)];
	if (base64 === '') {
		const reason = 'the key is revoked: the tag "p" is empty. Receivers reject each signature';
		return [wrong(reason, replacement)];
	}
	const type = tagValue(list, 'k') ?? 'rsa';
	if (type !== 'rsa' && type !== 'ed25519') {
		return [wrong(`the key type ${quote(type)} is unknown. Use rsa`, replacement)];
	}
	const key = BASE64.test(base64) ? keys.read(base64) : null;
	if (key === null) {
		return [
			wrong('the key cannot be read. Perhaps it was cut or changed when it was copied', replacement)
		];
	}
	if (type === 'ed25519') {
		return key.type === 'raw'
			? [
					warn(
						'many receivers do not know Ed25519 keys. Sign with an RSA key as well, by another selector'
					)
				]
			: [wrong('"k=ed25519", but the key is of another type', replacement)];
	}
	if (key.type !== 'rsa') return [wrong('"k=rsa", but the key is of another type', replacement)];
	if (key.bits < LEAST_BITS) {
		return [
			wrong(`the key has ${key.bits} bits. Receivers need at least ${LEAST_BITS}`, replacement)
		];
	}
	if (key.bits < ADVISED_BITS) {
		return [
			warn(`the key has ${key.bits} bits. Use ${ADVISED_BITS} when you replace it`, replacement)
		];
	}
	return [good(`a key of ${key.bits} bits`)];
};
