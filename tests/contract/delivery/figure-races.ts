import { OTHER_HOST, type MailHost } from '#lib/domain/delivery/receipts/mail-host.ts';
import { aCount, google } from '../../support/domain/figures.ts';
import { at } from '../stores/examples.ts';
import { atOnce, instanceOf, type Instances } from '../stores/races.ts';

/** The most hosts of an hour in these tests. */
export const MOST = 5;

/** What is counted when so many calls add one code and one entry each to the same rows. */
export const raceCounts = async (
	instances: Instances,
	count: number
): Promise<{ sent: number; entered: number }> => {
	await atOnce(instances, count, ({ deliveryFigures }, index) => {
		const counts = [aCount(at(0)), aCount(at(0), google, 'within_20')];
		// In either order, so that locks taken row by row would meet.
		return deliveryFigures.add(index % 2 === 0 ? counts : counts.toReversed(), MOST);
	});
	const sums = await instanceOf(instances, 0).deliveryFigures.sums(at(0), at(1));
	const of = (wanted: string): number => sums.find(({ fact }) => fact === wanted)?.count ?? 0;
	return { sent: of('sent'), entered: of('within_20') };
};

/** How many hosts are named when so many calls add a new one each, and what is counted in total. */
export const raceHosts = async (
	instances: Instances,
	count: number
): Promise<{ named: number; sent: number }> => {
	await atOnce(instances, count, ({ deliveryFigures }, index) =>
		deliveryFigures.add([aCount(at(0), `${index}.test` as MailHost)], MOST)
	);
	const sums = await instanceOf(instances, 0).deliveryFigures.sums(at(0), at(1));
	return {
		named: sums.filter(({ host }) => host !== OTHER_HOST).length,
		sent: sums.reduce((sum, one) => sum + one.count, 0)
	};
};
