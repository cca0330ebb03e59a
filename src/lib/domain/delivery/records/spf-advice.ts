import { quote, warn, wrong, type Finding, type WantedRecord } from './finding.ts';
import { prefixOf } from './ip-range.ts';
import type { SpfRecord, SpfTerm } from './spf-record.ts';

/** What the record says about all other servers. */
export const endFindings = ({ terms }: SpfRecord, set: WantedRecord): Finding[] => {
	const at = terms.findIndex(({ name }) => name === 'all');
	const redirect = terms.find(({ name }) => name === 'redirect');
	const all = terms[at];
	if (all === undefined) {
		if (redirect !== undefined) return [];
		return [warn('it has no "all" at its end, so it says nothing about other servers', set)];
	}
	const findings: Finding[] = [];
	if (all.qualifier === '+') {
		findings.push(wrong(`${quote(all.text)} permits every server to send for this domain`, set));
	}
	if (all.qualifier === '?') {
		findings.push(warn('"?all" says nothing about other servers, as if it were not there', set));
	}
	const ignored = terms.slice(at + 1).filter(isMechanism);
	if (ignored.length > 0) {
		const texts = ignored.map(({ text }) => quote(text)).join(', ');
		findings.push(warn(`receivers ignore what follows "all": ${texts}`, set));
	}
	if (redirect !== undefined) {
		findings.push(warn(`receivers ignore ${quote(redirect.text)} because there is an "all"`, set));
	}
	return findings;
};

const MODIFIER = /^[a-z][a-z0-9_.-]*=/i;
const isMechanism = ({ text }: SpfTerm): boolean => !MODIFIER.test(text);

/** A /8 is 16 million addresses. No mail provider has that many. */
const BROADEST = { ip4: 9, ip6: 17 } as const;

export const rangeFindings = ({ terms }: SpfRecord, set: WantedRecord): Finding[] =>
	terms.filter(isTooBroad).map(({ text, value }) => {
		const reason = value?.endsWith('/0') ? 'permits every server' : 'permits a very large network';
		return wrong(`${quote(text)} ${reason} to send for this domain`, set);
	});

const isTooBroad = ({ name, value, qualifier }: SpfTerm): boolean => {
	if ((name !== 'ip4' && name !== 'ip6') || qualifier !== '+') return false;
	const prefix = prefixOf(name === 'ip4' ? 4 : 6, value ?? '');
	return prefix !== null && prefix < BROADEST[name];
};

/** The terms to keep: mended, without those that no record should have. */
export const soundTerms = ({ terms, mended }: SpfRecord): readonly string[] => {
	const dropped = terms.filter((term) => term.name === 'ptr' || isTooBroad(term));
	return mended.filter((text) => !dropped.some((term) => term.text === text));
};

export const spfRecord = (domain: string, value: string): WantedRecord => ({
	name: domain,
	type: 'TXT',
	value
});

/** The simplest record. Without a known provider, the domain's mail servers may send. */
export const simplestSpf = (include: string | null): string =>
	completeSpf(include === null ? ['mx'] : [], include);

/** A record of these terms, with the provider, and one `all` at its end. */
export const completeSpf = (terms: readonly string[], include: string | null): string => {
	const isAll = (term: string): boolean => /^[+?~-]?all$/i.test(term);
	const others = terms.filter((term) => !isAll(term) && !/^redirect=/i.test(term));
	const redirect = terms.find((term) => /^redirect=/i.test(term));
	const alls = terms.filter(isAll);
	const end =
		alls.length === 0 && redirect !== undefined
			? redirect
			: alls.length > 0 && alls.every((term) => term.startsWith('-'))
				? '-all'
				: '~all';
	const permits = [`include:${include}`, `redirect=${include}`];
	const isMissing =
		include !== null && ![...others, end].some((term) => permits.includes(term.toLowerCase()));
	return ['v=spf1', ...others, ...(isMissing ? [`include:${include}`] : []), end].join(' ');
};
