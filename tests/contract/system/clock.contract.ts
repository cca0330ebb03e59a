import { expect, it } from 'vitest';
import type { Clock } from '#lib/domain/time.ts';
import { contract } from '../stores/suite.ts';

export const clockContract = contract('a clock', (open: () => Clock) => {
	it('returns a valid instant', () => {
		expect(open().now().getTime()).toBeGreaterThan(Date.UTC(2020));
	});

	it('does not run backwards between two readings', () => {
		const clock = open();
		let before = clock.now();
		for (let look = 0; look < 1000; look += 1) {
			const now = clock.now();
			expect(now.getTime()).toBeGreaterThanOrEqual(before.getTime());
			before = now;
		}
	});

	it('does not change when a returned date is changed', () => {
		const clock = open();
		clock.now().setFullYear(1999);
		expect(clock.now().getTime()).toBeGreaterThan(Date.UTC(2020));
	});
});
