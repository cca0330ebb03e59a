import { isIpv4, isIpv6 } from './ip-range.ts';
import { DOMAIN_REQUIRED, MECHANISMS, isDomainSpec, mechanismFault } from './spf-mechanism.ts';

/** The syntax of an SPF record: RFC 7208, section 12. */

export interface SpfTerm {
	/** As published. */
	readonly text: string;
	readonly qualifier: '+' | '-' | '~' | '?';
	/** In lower case: `all`, `include`, … or the name of a modifier. */
	readonly name: string;
	/** The domain or address range. Null if the term has none. */
	readonly value: string | null;
}

export interface SpfFault {
	readonly term: string;
	readonly reason: string;
	/** What the term probably means. Null removes it. */
	readonly mend: string | null;
}

export interface SpfRecord {
	readonly terms: readonly SpfTerm[];
	readonly faults: readonly SpfFault[];
	/** The terms with each fault mended or removed. */
	readonly mended: readonly string[];
}

/** A text that receivers read as SPF, or that was probably meant as one. */
export const isSpf = (text: string): boolean => /^v=spf1(?: |$)/i.test(text);
export const isNearlySpf = (text: string): boolean => /^\W*(?:v\s*=\s*)?spf\s*\d/i.test(text);

/** What people write instead of the name of a mechanism. */
const MISSPELT: Readonly<Record<string, string>> = {
	ipv4: 'ip4',
	ipv6: 'ip6',
	ip: 'ip4',
	includes: 'include',
	incl: 'include',
	al: 'all',
	alll: 'all',
	exist: 'exists',
	redirects: 'redirect'
};
const ONCE = ['redirect', 'exp'];

/** Reads a record that `isSpf` accepts. */
export const parseSpf = (record: string): SpfRecord => {
	const texts = record
		.slice('v=spf1'.length)
		.split(' ')
		.filter((text) => text !== '');
	const terms: SpfTerm[] = [];
	const faults: SpfFault[] = [];
	const mended: string[] = [];
	for (const text of texts) {
		const read = readTerm(text);
		if ('reason' in read) {
			const { reason, guess } = read;
			const mend = guess !== undefined && !('reason' in readTerm(guess)) ? guess : null;
			faults.push({ term: text, reason, mend });
			if (mend !== null) mended.push(mend);
		} else if (ONCE.includes(read.name) && terms.some(({ name }) => name === read.name)) {
			faults.push({ term: text, reason: `has ${read.name}= a second time`, mend: null });
		} else {
			terms.push(read);
			mended.push(text);
		}
	}
	return { terms, faults, mended };
};

interface Unread {
	readonly reason: string;
	/** What it was perhaps meant to be. It can be as wrong. */
	readonly guess?: string;
}

const readTerm = (text: string): SpfTerm | Unread => {
	const cleaned = text.replace(/^["\u201c]|[,;"\u201d]+$/g, '').replace(/^[\u2013\u2014]/, '-');
	if (cleaned !== text || !/^[!-~]+$/.test(text)) {
		return { reason: 'contains a character that is not allowed', guess: cleaned };
	}
	if (/^v=spf1$/i.test(text)) return { reason: 'is the start of a second record' };
	const [, sign = '', written = '', separator = '', rest = ''] =
		/^([+?~-]?)([a-z][a-z0-9_.-]*)([:=/]?)(.*)$/i.exec(text) ?? [];
	const name = written.toLowerCase();
	const right = Object.hasOwn(MISSPELT, name) ? MISSPELT[name] : undefined;
	if (right !== undefined) {
		return { reason: 'is misspelt', guess: `${sign}${right}${separator}${rest}` };
	}
	if (MECHANISMS.includes(name)) {
		if (separator === '=') {
			return { reason: 'has "=" in place of ":"', guess: `${sign}${name}:${rest}` };
		}
		const value = separator === ':' ? rest : null;
		const reason = mechanismFault(name, value, separator === '/' ? `/${rest}` : '');
		const qualifier = (sign || '+') as SpfTerm['qualifier'];
		if (reason === null) return { text, qualifier, name, value };
		const other = { ip4: 'ip6', ip6: 'ip4' }[name];
		return { reason, ...(other !== undefined && { guess: `${sign}${other}:${rest}` }) };
	}
	if (separator === '=' && sign === '') {
		return DOMAIN_REQUIRED.includes(name) && !isDomainSpec(rest)
			? { reason: 'has no valid domain' }
			: { text, qualifier: '+', name, value: rest };
	}
	if (name === 'redirect') return { reason: 'has ":" in place of "="', guess: `redirect=${rest}` };
	const [address = ''] = text.split('/');
	if (isIpv4(address)) return { reason: 'lacks "ip4:"', guess: `ip4:${text}` };
	if (isIpv6(address)) return { reason: 'lacks "ip6:"', guess: `ip6:${text}` };
	return { reason: 'is not a known mechanism' };
};
