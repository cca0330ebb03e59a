import type { DnsLookup } from './dns-lookup.ts';
import { lookupFailed, quote, wrong, type Finding } from './finding.ts';
import { isSpf, parseSpf, type SpfRecord, type SpfTerm } from './spf-record.ts';

/** RFC 7208, section 4.6.4: receivers stop with an error beyond these. */
export const MAX_LOOKUPS = 10;
const MAX_VOID_LOOKUPS = 2;
const MAX_MX_HOSTS = 10;
/** The count stops here. A hostile record could name thousands of others. */
const STOP_COUNTING = 25;

export interface SpfTree {
	/** How many lookups a receiver makes, for people to read. */
	readonly lookups: string;
	readonly isTooMany: boolean;
	/** How many lookups each term of the first record costs. */
	readonly costs: readonly (readonly [term: string, lookups: number])[];
	/** The domains of all `include` and `redirect` terms that count, also those of nested records. */
	readonly references: ReadonlySet<string>;
	/** Whether all of these were read. If not, there can be more references than are known. */
	readonly isComplete: boolean;
	readonly findings: readonly TreeFinding[];
}

export interface TreeFinding {
	readonly finding: Finding;
	/** The term of the first record that is better removed. Null if others must mend theirs. */
	readonly removes: string | null;
}

const plainName = (domain: string): string => domain.toLowerCase().replace(/\.$/, '');
const COUNTED = ['include', 'a', 'mx', 'ptr', 'exists', 'redirect'];

/** Follows a record as a receiver does, and counts the lookups. */
export const walkSpf = async (
	dns: DnsLookup,
	domain: string,
	record: SpfRecord
): Promise<SpfTree> => {
	let lookups = 0;
	let voids = 0;
	const costs: [string, number][] = [];
	const references = new Set<string>();
	let isComplete = true;
	const findings: TreeFinding[] = [];
	/** The term of the first record that the walk is in. */
	let root: string | null = null;
	const note = (finding: Finding, removes: string | null = null): void => {
		findings.push({ finding, removes });
	};

	const lookUpTarget = async (term: SpfTerm, trail: readonly string[]): Promise<void> => {
		const value = term.value ?? trail.at(-1) ?? '';
		const target = plainName(value.split('/')[0] ?? '');
		const isReference = term.name === 'include' || term.name === 'redirect';
		// The value of a macro depends on the email, so its lookup is only counted.
		if (target.includes('%') || term.name === 'ptr') {
			if (isReference) isComplete = false;
			return;
		}
		if (isReference) return follow(term, target, trail);
		const answer = term.name === 'mx' ? await dns.mx(target) : await dns.addresses(target);
		if (answer.kind === 'failed') note(lookupFailed(answer.fault, term.name, target));
		if (answer.kind === 'none') voids += 1;
		if (term.name === 'mx' && answer.kind === 'found' && answer.records.length > MAX_MX_HOSTS) {
			note(wrong(`${quote(term.text)}: ${target} has more than ${MAX_MX_HOSTS} MX records`));
		}
	};

	const follow = async (term: SpfTerm, target: string, trail: readonly string[]): Promise<void> => {
		const from = trail.at(-1) ?? '';
		references.add(target);
		if (trail.includes(target)) {
			note(
				wrong(`${quote(term.text)} in the record of ${from} leads back to ${target}: a loop`),
				root
			);
			return;
		}
		const answer = await dns.txt(target);
		if (answer.kind === 'failed') {
			isComplete = false;
			note(lookupFailed(answer.fault, 'SPF record', target));
			return;
		}
		const records = answer.kind === 'found' ? answer.records.filter(isSpf) : [];
		if (answer.kind === 'none') voids += 1;
		const [first] = records;
		if (first === undefined || records.length > 1) {
			const has = first === undefined ? 'no SPF record' : `${records.length} SPF records`;
			const text = `${quote(term.text)} in the record of ${from}: ${target} has ${has}`;
			note(wrong(text), trail.length === 1 && term.name === 'include' ? root : null);
			return;
		}
		const inner = parseSpf(first);
		for (const fault of inner.faults) {
			note(wrong(`the record of ${target}: the term ${quote(fault.term)} ${fault.reason}`));
		}
		await walk(inner, [...trail, target]);
	};

	const walk = async (current: SpfRecord, trail: readonly string[]): Promise<void> => {
		const { terms } = current;
		const end = terms.findIndex(({ name }) => name === 'all');
		// With an `all`, receivers ignore `redirect` wherever it stands: RFC 7208, section 6.1.
		const read = end < 0 ? terms : terms.slice(0, end).filter(({ name }) => name !== 'redirect');
		for (const term of read) {
			if (!COUNTED.includes(term.name)) continue;
			if (lookups >= STOP_COUNTING) {
				isComplete = false;
				return;
			}
			const before = lookups;
			if (trail.length === 1) root = term.text;
			lookups += 1;
			await lookUpTarget(term, trail);
			if (trail.length === 1) costs.push([term.text, lookups - before]);
		}
	};

	await walk(record, [plainName(domain)]);
	if (voids > MAX_VOID_LOOKUPS) {
		note(
			wrong(
				`${voids} of its lookups find nothing. Receivers stop with an error after ${MAX_VOID_LOOKUPS}. Remove the terms whose names no longer exist`
			)
		);
	}
	return {
		lookups: lookups < STOP_COUNTING ? `${lookups}` : `${lookups} or more`,
		isTooMany: lookups > MAX_LOOKUPS,
		costs,
		references,
		isComplete,
		findings
	};
};
