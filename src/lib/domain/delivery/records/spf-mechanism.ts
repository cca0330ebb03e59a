import { prefixOf } from './ip-range.ts';

export const MECHANISMS: readonly string[] = [
	'all',
	'include',
	'a',
	'mx',
	'ptr',
	'ip4',
	'ip6',
	'exists'
];
/** Mechanisms and modifiers that need a domain. */
export const DOMAIN_REQUIRED: readonly string[] = ['include', 'exists', 'redirect', 'exp'];
const DOMAIN_ALLOWED = ['a', 'mx', 'ptr', ...DOMAIN_REQUIRED];

const MACRO = /%(?:\{[slodiphcrtv]\d*r?[.\-+,/_=]*\}|%|_|-)/gi;

/** A domain name, in which macros may stand for any part. */
export const isDomainSpec = (text: string): boolean => {
	const plain = text.replace(MACRO, 'x');
	return (
		plain.length <= 253 &&
		/^(?:[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?\.)+[a-z0-9-]*[a-z][a-z0-9-]*\.?$/i.test(
			text.endsWith('}') && plain === 'x' ? 'x.x' : plain
		)
	);
};

/** What is wrong with the arguments of a mechanism, or null. */
export const mechanismFault = (
	name: string,
	value: string | null,
	range: string
): string | null => {
	if (name === 'ip4' || name === 'ip6') {
		const version = name === 'ip4' ? 4 : 6;
		return value !== null && prefixOf(version, value) !== null
			? null
			: `has no valid IPv${version} address or range`;
	}
	if (name === 'all') return value === null && range === '' ? null : 'may have no value';
	if (!DOMAIN_ALLOWED.includes(name)) return null;
	const [, domain = '', prefixes = ''] = /^([^/]*)(.*)$/.exec(value ?? '') ?? [];
	const lengths = prefixes + range;
	if (value !== null && !isDomainSpec(domain)) return 'has no valid domain';
	if (value === null && DOMAIN_REQUIRED.includes(name)) return 'has no domain';
	if (lengths === '') return null;
	const match = /^(?:\/(\d{1,2}))?(?:\/\/(\d{1,3}))?$/.exec(lengths);
	const [, ipv4 = '32', ipv6 = '128'] = match ?? [];
	const isRange = match !== null && (name === 'a' || name === 'mx');
	return isRange && Number(ipv4) <= 32 && Number(ipv6) <= 128
		? null
		: 'has an invalid prefix length';
};
