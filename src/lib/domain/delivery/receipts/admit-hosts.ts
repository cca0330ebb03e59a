import type { HostCount } from './delivery-figures.ts';
import { OTHER_HOST, type MailHost } from './mail-host.ts';

/** The same counts with one for each host and fact. */
export const addedUp = (counts: readonly HostCount[]): readonly HostCount[] => {
	const sums = new Map<string, HostCount>();
	for (const one of counts) {
		const key = `${one.host} ${one.fact}`;
		sums.set(key, { ...one, count: one.count + (sums.get(key)?.count ?? 0) });
	}
	return [...sums.values()];
};

/**
 * The counts of one hour as they are stored, when `known` hosts already have counts of it. So that
 * made-up hosts cannot fill the storage, at most `most` hosts are counted by themselves.
 */
export const admitHosts = (
	counts: readonly HostCount[],
	known: ReadonlySet<MailHost>,
	most: number
): readonly HostCount[] => {
	const sent = new Map<MailHost, number>();
	for (const { host, fact, count } of counts) {
		const isNew = host !== OTHER_HOST && !known.has(host);
		if (isNew) sent.set(host, (sent.get(host) ?? 0) + (fact === 'sent' ? count : 0));
	}
	const room = Math.max(0, most - [...known].filter((host) => host !== OTHER_HOST).length);
	const further = [...sent].sort(([, one], [, other]) => other - one).slice(room);
	const refused = new Set(further.map(([host]) => host));
	return addedUp(counts.map((one) => (refused.has(one.host) ? { ...one, host: OTHER_HOST } : one)));
};
