import { describe, expect, it } from 'vitest';
import { OTHER_HOST, type MailHost } from '#lib/domain/delivery/receipts/mail-host.ts';
import { secondsFromStart } from '../../../support/domain/builders.ts';
import { aCount, codesOf, google, yahoo } from '../../../support/domain/figures.ts';
import { aFixture, type Fixture } from '../../../support/domain/fixture.ts';

const HOUR = 3600;
const DAY = 24 * HOUR;
const MOST = 200;
const anna = 'anna-smith.example' as MailHost;

/** A fixture eight days after the start, so that the whole period lies in the past. */
const aSite = async (counts: Parameters<Fixture['deliveryFigures']['add']>[0]) => {
	const fixture = aFixture();
	fixture.clock.advance(8 * DAY);
	await fixture.deliveryFigures.add(counts, MOST);
	return fixture;
};
/** The instant so many hours before the fixture's time. */
const ago = (hours: number): Date => secondsFromStart(8 * DAY - hours * HOUR);

describe('the report', () => {
	it('is empty before the first code', async () => {
		expect(await aFixture().deliveryReport()).toEqual([]);
	});

	it('has the figures of seven days, the hosts with the most codes first', async () => {
		const site = await aSite([
			...codesOf(ago(1), 40, 30),
			...codesOf(ago(100), 60, 50),
			...codesOf(ago(169), 999, 999),
			...codesOf(ago(2), 300, 270, yahoo),
			aCount(ago(3), yahoo, 'again', 5),
			aCount(ago(4), yahoo, 'refused', 7)
		]);
		expect(await site.deliveryReport()).toMatchObject([
			{ host: yahoo, sent: 300, entered: 270, again: 5, refused: 7 },
			{ host: google, sent: 100, entered: 80, again: 0, refused: 0 }
		]);
	});

	it('names no host with fewer than 50 codes, and puts the others together at the end', async () => {
		const site = await aSite([
			...codesOf(ago(1), 50, 40),
			...codesOf(ago(1), 49, 2, anna),
			aCount(ago(1), OTHER_HOST, 'sent', 100)
		]);
		expect(await site.deliveryReport()).toMatchObject([
			{ host: google, sent: 50, entered: 40 },
			{ host: OTHER_HOST, sent: 149, entered: 2 }
		]);
	});

	it('does not show emails that were not meant to be sent', async () => {
		const site = await aSite([aCount(ago(1), anna, 'sent', 0), aCount(ago(1), anna, 'again', 0)]);
		expect(await site.deliveryReport()).toEqual([]);
	});
});

describe('counts are removed', () => {
	it('after eight days', async () => {
		const site = await aSite([...codesOf(ago(0), 1, 1), ...codesOf(ago(8 * 24), 1, 1)]);
		expect((await site.pruneThrottle()).deliveryFigures).toBe(0);
		site.clock.advance(1);
		expect((await site.pruneThrottle()).deliveryFigures).toBe(2);
		expect((await site.pruneThrottle()).deliveryFigures).toBe(0);
	});
});

describe('a warning', () => {
	/** A week of 20 codes a day, four of five entered, up to a day ago. */
	const week = [2, 3, 4, 5, 6, 7].flatMap((days) => codesOf(ago(24 * days - 1), 20, 16));
	const lowOf = async (last: Parameters<typeof aSite>[0]) =>
		(await aSite([...week, ...last])).lowCompletions();

	it('names a host whose last codes were entered less than half as often as usual', async () => {
		// All codes of the period are its usual figure, the last ones included.
		const low = { host: google, sent: 30, entered: 10, usual: 71 };
		expect(await lowOf(codesOf(ago(2), 30, 10))).toEqual([low]);
		expect(await lowOf(codesOf(ago(2), 30, 11))).toEqual([]);
	});

	it('takes the fewest last hours with 30 codes', async () => {
		const [good, bad] = [codesOf(ago(6), 100, 90), codesOf(ago(4), 10, 0)];
		expect(await lowOf([...good, ...bad, ...codesOf(ago(3), 19, 0)])).toEqual([]);
		expect(await lowOf([...good, ...bad, ...codesOf(ago(3), 20, 0)])).toMatchObject([
			{ sent: 30, entered: 0 }
		]);
	});

	it('judges no host with fewer than 30 codes in a day', async () => {
		expect(await lowOf(codesOf(ago(2), 29, 0))).toEqual([]);
		expect(await lowOf([...codesOf(ago(2), 29, 0), ...codesOf(ago(26), 1, 0)])).toEqual([]);
	});

	it('does not count codes that can still be entered', async () => {
		const site = await aSite([...week, ...codesOf(ago(1), 30, 0)]);
		site.clock.advance(599);
		expect(await site.lowCompletions()).toEqual([]);
		site.clock.advance(1);
		expect(await site.lowCompletions()).toHaveLength(1);
	});

	it('does not judge the other hosts together, nor a host with fewer than 50 codes', async () => {
		const counts = (host: MailHost) => [
			...codesOf(ago(48), 19, 19, host),
			...codesOf(ago(2), 30, 0, host)
		];
		expect(await lowOf(counts(anna))).toEqual([]);
		expect(await lowOf([...counts(anna), ...codesOf(ago(49), 1, 1, anna)])).toHaveLength(1);
		const others = [
			...codesOf(ago(48), 500, 500, OTHER_HOST),
			...codesOf(ago(2), 30, 0, OTHER_HOST)
		];
		expect(await lowOf(others)).toEqual([]);
	});
});
