import { quote, warn, wrong, type Finding, type WantedRecord } from './finding.ts';
import { parseTags, tagValue, writeTags } from './tag-list.ts';

/** A DMARC record: RFC 9989, which replaced RFC 7489 in 2026. */
export interface DmarcRecord {
	readonly policy: Policy | null;
	readonly subdomainPolicy: Policy | null;
	/** Strict: the domains must be equal. Otherwise the same organisation is enough. */
	readonly isDkimStrict: boolean;
	readonly isSpfStrict: boolean;
	/** The domains that get the reports. */
	readonly reportDomains: readonly string[];
	readonly findings: readonly Finding[];
	/** The record with everything mended that the findings name, and with these tags. */
	readonly mended: (tags?: Tags) => WantedRecord;
}

type Tags = Readonly<Record<string, string>>;

export type Policy = 'none' | 'quarantine' | 'reject';

/** The version is the only value whose letters count. */
export const isDmarc = (text: string): boolean => /^v\s*=\s*DMARC1\s*(?:;|$)/.test(text);
export const isNearlyDmarc = (text: string): boolean => /^\W*(?:v\s*=\s*)?dmarc/i.test(text);

const POLICY = /^(?:none|quarantine|reject)$/i;
const REPORT_ADDRESS = /^mailto:[^\s@,;!]+@([a-z0-9.-]+\.[a-z0-9-]+)(?:!\d+[kmgt]?)?$/i;

/** What each known tag may contain. */
const VALUES: Readonly<Record<string, RegExp>> = {
	v: /^DMARC1$/,
	p: POLICY,
	sp: POLICY,
	np: POLICY,
	adkim: /^[rs]$/i,
	aspf: /^[rs]$/i,
	fo: /^[01ds](?:\s*:\s*[01ds])*$/i,
	t: /^[yn]$/i,
	psd: /^[ynu]$/i,
	pct: /^(?:100|\d{1,2})$/,
	ri: /^\d{1,10}$/,
	rf: /^[a-z0-9:]+$/i
};

/** Reads a record that `isDmarc` accepts, found at `_dmarc.` and the owner. */
export const parseDmarc = (text: string, owner: string): DmarcRecord => {
	const list = parseTags(text);
	/** Null drops a tag. */
	const mends: Record<string, string | null> = {};
	const mended = (tags: Tags = {}): WantedRecord => ({
		name: `_dmarc.${owner}`,
		type: 'TXT',
		value: writeTags(list, { ...mends, ...tags })
	});
	const problems: [make: typeof warn, text: string][] = [];
	const note = (
		make: typeof warn,
		text: string,
		tag?: string,
		value: string | null = null
	): void => {
		problems.push([make, text]);
		if (tag !== undefined) mends[tag] = value;
	};
	for (const part of list.malformed) note(wrong, `${quote(part)} is not of the form name=value`);
	for (const tag of list.repeated) note(wrong, `the tag "${tag}" appears more than once`);
	if (tagValue(list, 'p') === null) {
		note(wrong, 'it has no policy: the tag "p" is missing', 'p', 'none');
	}
	const reportDomains: string[] = [];
	for (const [tag, value] of list.tags) {
		if (tag === 'rua' || tag === 'ruf') {
			const addresses = value.split(',').map((address) => address.trim());
			const domains = addresses.map((address) => REPORT_ADDRESS.exec(address)?.[1] ?? null);
			reportDomains.push(...domains.flatMap((domain) => domain?.toLowerCase() ?? []));
			const at = domains.indexOf(null);
			if (at < 0) continue;
			const kept = addresses.filter((_, index) => domains[index] !== null).join(',');
			const reason = `${quote(addresses[at] ?? '')} in "${tag}" is not of the form mailto:name@example.org`;
			note(wrong, reason, tag, kept === '' ? null : kept);
			continue;
		}
		// A record can name any tag, also `constructor`.
		const pattern = Object.hasOwn(VALUES, tag) ? VALUES[tag] : undefined;
		if (pattern === undefined) note(warn, `receivers ignore the tag ${quote(tag)}`, tag);
		else if (!pattern.test(value)) {
			const reason = `${quote(value)} is not a valid value of "${tag}"`;
			note(wrong, reason, tag, tag === 'p' ? 'none' : null);
		} else if (tag === 'pct' && Number(value) < 100) {
			const reason = `"pct=${value}" applies the policy to a part of the email only. Newer receivers ignore it`;
			note(warn, reason, tag);
		}
	}
	if (tagValue(list, 't')?.toLowerCase() === 'y') {
		note(warn, 'test mode: with "t=y" receivers do not apply the policy', 't');
	}
	if (('rua' in mends ? mends['rua'] : tagValue(list, 'rua')) === null) {
		const reason =
			'it names no address for reports ("rua"), so you do not notice when your email fails';
		note(warn, reason, 'rua', `mailto:dmarc@${owner}`);
	}
	const policyOf = (tag: string): Policy | null => {
		const value = tagValue(list, tag)?.toLowerCase() ?? '';
		return POLICY.test(value) ? (value as Policy) : null;
	};
	const isStrict = (tag: string): boolean => tagValue(list, tag)?.toLowerCase() === 's';
	const set = mended();
	return {
		policy: policyOf('p'),
		subdomainPolicy: policyOf('sp'),
		isDkimStrict: isStrict('adkim'),
		isSpfStrict: isStrict('aspf'),
		reportDomains: [...new Set(reportDomains)],
		findings: problems.map(([make, text]) => make(text, set)),
		mended
	};
};
