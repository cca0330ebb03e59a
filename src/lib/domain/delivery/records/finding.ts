import { FAULTS, type DnsFault } from './dns-lookup.ts';

/** `unchecked` means that a lookup failed, or that information is missing. */
export type Level = 'ok' | 'warning' | 'error' | 'unchecked';

/** A record to set, as DNS panels ask for it. */
export interface WantedRecord {
	readonly name: string;
	readonly type: 'TXT' | 'MX' | 'CNAME';
	readonly value: string;
}

export interface Finding {
	readonly level: Level;
	/** Can quote DNS records, so it can contain any character. */
	readonly text: string;
	readonly set: WantedRecord | null;
}

/** The findings about one kind of record at one name. */
export interface Section {
	readonly topic: 'SPF' | 'DKIM' | 'DMARC' | 'MX' | 'Alignment';
	readonly name: string;
	readonly findings: readonly Finding[];
}

const finding =
	(level: Level) =>
	(text: string, set: WantedRecord | null = null): Finding => ({ level, text, set });

export const good = finding('ok');
export const warn = finding('warning');
export const wrong = finding('error');
export const unchecked = finding('unchecked');

export const lookupFailed = (fault: DnsFault, type: string, name: string): Finding =>
	unchecked(`${type} of ${name}: ${FAULTS[fault]}`);

export const isUsable = (findings: readonly Finding[]): boolean =>
	findings.every(({ level }) => level === 'ok' || level === 'warning');

/** Longer quotes of a record are cut: a text can have thousands of characters. */
const MAX_QUOTE = 120;

export const quote = (text: string): string =>
	`"${text.length > MAX_QUOTE ? `${text.slice(0, MAX_QUOTE)}…` : text}"`;

/** The worst level: an error, then what could not be checked, then a warning. */
export const worst = (findings: readonly Finding[]): Level =>
	(['error', 'unchecked', 'warning'] as const).find((level) =>
		findings.some((finding) => finding.level === level)
	) ?? 'ok';

/** A hostile record can have thousands of faults. The first ones are enough to mend it. */
const MAX_FINDINGS = 20;

export const firstOf = (findings: readonly Finding[]): readonly Finding[] => {
	const more = findings.slice(MAX_FINDINGS);
	if (more.length === 0) return findings;
	const rest: Finding = { level: worst(more), text: `and ${more.length} more`, set: null };
	return [...findings.slice(0, MAX_FINDINGS), rest];
};
