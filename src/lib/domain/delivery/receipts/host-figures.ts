import type { HostCount } from './delivery-figures.ts';
import { ENTRY_LIMITS, type EntryTimes } from './entry-times.ts';
import { grouped } from './grouped.ts';
import { OTHER_HOST, type MailHost } from './mail-host.ts';

/** The codes that one mail host received. */
export interface HostFigures {
	readonly host: MailHost;
	readonly sent: number;
	readonly entered: number;
	readonly times: EntryTimes;
	/** Codes that were requested while an earlier one could still be used. */
	readonly again: number;
	readonly refused: number;
}

/** The figures of each host, those with the most codes first. */
export const figuresOf = (counts: readonly HostCount[]): readonly HostFigures[] => {
	const byHost = grouped(counts, ({ host }) => host);
	return [...byHost]
		.map(([host, own]) => hostFigures(host, own))
		.sort((one, other) => other.sent - one.sent || (one.host < other.host ? -1 : 1));
};

const hostFigures = (host: MailHost, counts: readonly HostCount[]): HostFigures => {
	const sumOf = (wanted: HostCount['fact']): number =>
		counts.reduce((sum, { fact, count }) => (fact === wanted ? sum + count : sum), 0);
	const times = ENTRY_LIMITS.map((limit) => sumOf(`within_${limit}`));
	return {
		host,
		sent: sumOf('sent'),
		entered: times.reduce((sum, count) => sum + count, 0),
		times,
		again: sumOf('again'),
		refused: sumOf('refused')
	};
};

/**
 * The same counts, with those of hosts that got fewer than `rareBelow` codes under `OTHER_HOST`. A
 * rare host can be the domain of one person.
 */
export const withoutRareHosts = (
	counts: readonly HostCount[],
	rareBelow: number
): readonly HostCount[] => {
	const rare = figuresOf(counts).filter(({ sent }) => sent < rareBelow);
	const names = new Set(rare.map(({ host }) => host));
	return counts.map((one) => (names.has(one.host) ? { ...one, host: OTHER_HOST } : one));
};

/** The part of the codes that was entered. */
export const completionOf = ({ sent, entered }: Pick<HostFigures, 'sent' | 'entered'>): number =>
	sent === 0 ? 0 : Math.min(1, entered / sent);
