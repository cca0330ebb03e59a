import { describe, expect, it } from 'vitest';
import type { HourCount } from '#lib/domain/delivery/receipts/delivery-figures.ts';
import { OTHER_HOST, type MailHost } from '#lib/domain/delivery/receipts/mail-host.ts';
import type { OpenBacking } from '../../support/database/backing.ts';
import { aCount, google, yahoo } from '../../support/domain/figures.ts';
import { at } from '../stores/examples.ts';
import { opened } from '../stores/suite.ts';
import { MOST, raceCounts, raceHosts } from './figure-races.ts';

const HOUR = 3600;
const sorted = <T extends object>(rows: readonly T[]): readonly string[] =>
	rows.map((row) => JSON.stringify(row)).sort();

export const deliveryFiguresContract = (name: string, open: OpenBacking): void => {
	describe(`delivery figures (${name})`, () => {
		const backing = opened(open);
		const port = () => backing().stores.deliveryFigures;
		const sums = (from: number, until: number) => port().sums(at(from), at(until));

		it('adds to what was counted before, by hour, host and fact', async () => {
			const counts = [aCount(at(0)), aCount(at(0), google, 'within_600'), aCount(at(0), yahoo)];
			await port().add(counts, MOST);
			await port().add([aCount(at(0), google, 'sent', 5), aCount(at(HOUR))], MOST);
			expect(sorted(await port().hours(at(0), at(2 * HOUR)))).toEqual(
				sorted([
					aCount(at(0), google, 'sent', 6),
					aCount(at(0), google, 'within_600', 1),
					aCount(at(0), yahoo, 'sent', 1),
					aCount(at(HOUR), google, 'sent', 1)
				])
			);
			expect(sorted(await sums(0, 2 * HOUR))).toEqual(
				sorted([
					{ host: google, fact: 'sent', count: 7 },
					{ host: google, fact: 'within_600', count: 1 },
					{ host: yahoo, fact: 'sent', count: 1 }
				])
			);
		});

		it('a count of zero makes a row and changes none', async () => {
			await port().add([aCount(at(0), google, 'sent', 0)], MOST);
			expect(await backing().rows('deliveryFigures')).toBe(1);
			await port().add([aCount(at(0), google, 'sent', 2)], MOST);
			await port().add([aCount(at(0), google, 'sent', 0)], MOST);
			expect(await sums(0, 1)).toEqual([{ host: google, fact: 'sent', count: 2 }]);
		});

		it('adding nothing does nothing', async () => {
			await port().add([], MOST);
			expect(await backing().rows('deliveryFigures')).toBe(0);
		});

		it('equal counts of one call are added up', async () => {
			await port().add([aCount(at(0)), aCount(at(0))], MOST);
			expect(await sums(0, 1)).toEqual([{ host: google, fact: 'sent', count: 2 }]);
		});

		it('hours are read from the first until before the last', async () => {
			for (const hour of [0, 1, 2, 3]) await port().add([aCount(at(hour * HOUR))], MOST);
			const hours = await port().hours(at(HOUR), at(3 * HOUR));
			expect(hours.map(({ since }) => since)).toEqual([at(HOUR), at(2 * HOUR)]);
			expect(await sums(HOUR, 3 * HOUR)).toMatchObject([{ count: 2 }]);
			expect(await sums(4 * HOUR, 9 * HOUR)).toEqual([]);
		});

		it('beyond the most hosts of an hour, further ones count as other', async () => {
			const made = (number: number, sent = 1): HourCount =>
				aCount(at(0), `${number}.test` as MailHost, 'sent', sent);
			await port().add([made(1), made(2, 5), made(3, 9), made(4, 2)], 2);
			await port().add([made(2), made(5, 99), aCount(at(HOUR), '5.test' as MailHost)], 2);
			expect(sorted(await port().hours(at(0), at(1)))).toEqual(
				sorted([made(3, 9), made(2, 6), aCount(at(0), OTHER_HOST, 'sent', 102)])
			);
			// Another hour has its own hosts.
			expect(await sums(HOUR, HOUR + 1)).toMatchObject([{ host: '5.test', count: 1 }]);
		});

		it('concurrent calls of all instances lose nothing', async () => {
			expect(await raceCounts(backing().instances, 40)).toEqual({ sent: 40, entered: 40 });
		});

		it('concurrent calls keep to the most hosts of an hour together', async () => {
			expect(await raceHosts(backing().instances, 20)).toEqual({ named: MOST, sent: 20 });
		});

		it('old counts are removed, at most so many at a time', async () => {
			const hosts = [google, yahoo, OTHER_HOST];
			await port().add(
				hosts.map((host) => aCount(at(0), host)),
				MOST
			);
			await port().add([aCount(at(HOUR))], MOST);
			expect(await port().prune(at(0), 10)).toBe(0);
			expect(await port().prune(at(1), 2)).toBe(2);
			expect(await port().prune(at(1), 2)).toBe(1);
			expect(await port().prune(at(1), 2)).toBe(0);
			expect(await port().hours(at(0), at(2 * HOUR))).toEqual([aCount(at(HOUR))]);
		});
	});
};
