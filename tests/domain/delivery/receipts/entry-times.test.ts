import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ENTRY_LIMITS, limitOf, percentile } from '#lib/domain/delivery/receipts/entry-times.ts';

/** The counts of these times by group. */
const grouped = (seconds: readonly number[]): readonly number[] =>
	ENTRY_LIMITS.map((limit) => seconds.filter((one) => limitOf(one) === limit).length);

const someTimes = fc.array(fc.double({ min: 0, max: 600, noNaN: true }), { minLength: 1 });
const aPart = fc.double({ min: 0.01, max: 1, noNaN: true });

describe('entry times', () => {
	it('a time belongs to the first group whose limit it keeps', () => {
		expect([0, 5, 5.01, 29, 30, 600].map(limitOf)).toEqual([5, 5, 7, 30, 30, 600]);
		expect([-3, 601, 1e9].map(limitOf)).toEqual([5, 600, 600]);
	});

	it('without entries there is no percentile', () => {
		expect(percentile(grouped([]), 0.5)).toBeNull();
	});

	it('the times of a group count as evenly spread', () => {
		// Four between 20 and 30 seconds, then one between 90 and 120.
		const times = grouped([21, 24, 26, 29, 100]);
		expect(percentile(times, 0.4)).toBe(25);
		expect(percentile(times, 0.8)).toBe(30);
		expect(percentile(times, 0.9)).toBe(105);
	});

	it('a percentile lies in the group of the true one', () => {
		fc.assert(
			fc.property(someTimes, aPart, (times, part) => {
				const sorted = times.toSorted((one, other) => one - other);
				const real = sorted[Math.ceil(part * sorted.length - 1e-9) - 1] ?? 0;
				const upper = limitOf(real);
				const lower = ENTRY_LIMITS[ENTRY_LIMITS.indexOf(upper) - 1] ?? 0;
				const estimated = percentile(grouped(times), part) ?? NaN;
				expect(estimated).toBeGreaterThanOrEqual(lower);
				expect(estimated).toBeLessThanOrEqual(upper);
			})
		);
	});

	it('a larger part takes at least as long', () => {
		fc.assert(
			fc.property(someTimes, aPart, aPart, (times, one, other) => {
				const [less = 0, more = 0] = [one, other].sort((a, b) => a - b);
				const counts = grouped(times);
				expect(percentile(counts, less)).toBeLessThanOrEqual(percentile(counts, more) ?? NaN);
			})
		);
	});
});
