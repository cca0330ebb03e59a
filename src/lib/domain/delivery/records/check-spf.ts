import type { DnsLookup } from './dns-lookup.ts';
import {
	good,
	isUsable,
	lookupFailed,
	quote,
	unchecked,
	warn,
	wrong,
	type Finding
} from './finding.ts';
import {
	completeSpf,
	endFindings,
	rangeFindings,
	simplestSpf,
	soundTerms,
	spfRecord
} from './spf-advice.ts';
import { isNearlySpf, isSpf, parseSpf } from './spf-record.ts';
import { MAX_LOOKUPS, walkSpf } from './spf-tree.ts';

export interface SpfWish {
	readonly domain: string;
	/** The domain that the provider's senders include. Null if it is not known. */
	readonly include: string | null;
	/** Whether receivers check this domain for our emails. */
	readonly isReturnPath: boolean;
}

export interface SpfCheck {
	readonly findings: readonly Finding[];
	/** Whether receivers can use the record. */
	readonly isUsable: boolean;
}

const result = (findings: readonly Finding[], usable = isUsable(findings)): SpfCheck => ({
	findings,
	isUsable: usable
});

/** Checks the SPF record of one domain: RFC 7208. */
export const checkSpf = async (dns: DnsLookup, wish: SpfWish): Promise<SpfCheck> => {
	const { domain, include, isReturnPath } = wish;
	const answer = await dns.txt(domain);
	if (answer.kind === 'failed') return result([lookupFailed(answer.fault, 'TXT', domain)]);
	const texts = answer.kind === 'found' ? answer.records : [];
	const records = texts.filter(isSpf);
	const [first] = records;
	if (first === undefined) {
		const near = texts.find(isNearlySpf);
		if (near !== undefined) {
			const text = `the record ${quote(near)} is not read as SPF. It must begin with "v=spf1" and a space`;
			return result([wrong(text, spfRecord(domain, simplestSpf(include)))]);
		}
		return isReturnPath
			? result([wrong('there is no SPF record', spfRecord(domain, simplestSpf(include)))])
			: result([good('there is no SPF record, and none is needed here')], false);
	}
	if (records.length > 1) {
		const text = `there are ${records.length} SPF records. Receivers then use none of them. Merge them into one and remove the others`;
		const all = records.map((one) => parseSpf(one));
		const terms = [...new Set(all.flatMap(({ mended }) => mended))];
		return result([wrong(text, spfRecord(domain, completeSpf(terms, include)))]);
	}
	const spf = parseSpf(first);
	const tree = await walkSpf(dns, domain, spf);
	const removed = tree.findings.map(({ removes }) => removes);
	const kept = soundTerms(spf).filter((term) => !removed.includes(term));
	const set = spfRecord(domain, completeSpf(kept, isReturnPath ? include : null));
	const findings: Finding[] = [
		...spf.faults.map(({ term, reason, mend }) => {
			const advice = mend === null ? '' : `. It should probably be ${quote(mend)}`;
			return wrong(`the term ${quote(term)} ${reason}${advice}`, set);
		}),
		...endFindings(spf, set),
		...rangeFindings(spf, set)
	];
	if (spf.terms.some(({ name }) => name === 'ptr')) {
		const reason = '"ptr" is deprecated (RFC 7208, section 5.5), and many receivers ignore it';
		findings.push(warn(reason, set));
	}
	if (isReturnPath && include !== null && !tree.references.has(include)) {
		const reason = `whether it permits the servers of your provider (${include}) is not known, because not every record that it refers to was read`;
		findings.push(
			tree.isComplete
				? wrong(`it does not permit the servers of your provider (${include})`, set)
				: unchecked(reason)
		);
	}
	for (const { finding, removes } of tree.findings) {
		findings.push(removes === null ? finding : { ...finding, set });
	}
	if (tree.isTooMany) {
		const costs = tree.costs.map(([term, count]) => `${quote(term)} ${count}`).join(', ');
		findings.push(
			wrong(
				`it causes ${tree.lookups} DNS lookups, and receivers stop with an error after ${MAX_LOOKUPS}: ${costs}. Remove the terms of services that no longer send for this domain, or send from a subdomain with a record of its own`
			)
		);
	}
	if (findings.length === 0) findings.push(good(`${quote(first)}, DNS lookups: ${tree.lookups}`));
	return result(findings);
};
