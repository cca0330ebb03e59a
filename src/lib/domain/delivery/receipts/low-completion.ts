import { grouped } from './grouped.ts';
import type { HostCount, HourCount } from './delivery-figures.ts';
import { completionOf, figuresOf, type HostFigures } from './host-figures.ts';
import { OTHER_HOST, type MailHost } from './mail-host.ts';
import type { ReceiptsPolicy } from './receipts-policy.ts';

/** A host whose last codes were entered far less often than usual. */
export interface LowCompletion {
	readonly host: MailHost;
	/** Its last codes. */
	readonly sent: number;
	readonly entered: number;
	/** How many of 100 codes were entered over the whole period. */
	readonly usual: number;
}

/**
 * The hosts whose last codes were entered less than half as often as usual. `recent` holds the last
 * hours, and `period` the sums of the whole period. A host without enough codes is not judged. Other
 * hosts together are not judged either: which hosts they are changes.
 */
export const lowCompletions = (
	recent: readonly HourCount[],
	period: readonly HostCount[],
	policy: ReceiptsPolicy
): readonly LowCompletion[] => {
	const hoursOf = grouped(recent, ({ host }) => host);
	return figuresOf(period).flatMap((usually) => {
		const { host, sent } = usually;
		if (host === OTHER_HOST || sent < policy.rareBelow) return [];
		const last = lastCodes(hoursOf.get(host) ?? [], policy.compared);
		if (last === null || completionOf(last) >= completionOf(usually) / 2) return [];
		const usual = Math.round(100 * completionOf(usually));
		return [{ host, sent: last.sent, entered: last.entered, usual }];
	});
};

/** The figures of the fewest last hours with at least `compared` codes. Null without so many. */
const lastCodes = (counts: readonly HourCount[], compared: number): HostFigures | null => {
	const hours = grouped(counts, ({ since }) => since.getTime());
	let taken: readonly HostCount[] = [];
	for (const hour of [...hours.keys()].sort((one, other) => other - one)) {
		taken = [...taken, ...(hours.get(hour) ?? [])];
		const [figures] = figuresOf(taken);
		if (figures !== undefined && figures.sent >= compared) return figures;
	}
	return null;
};
