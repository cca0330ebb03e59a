import { describe, expect, it } from 'vitest';
import { defaultPolicy } from '#lib/domain/index.ts';

describe('the usual policy', () => {
	it('A12: lets no code live longer than ten minutes (ASVS 6.5.5)', () => {
		expect(defaultPolicy.code.lifetime).toBeLessThanOrEqual(600);
	});

	it('A01/A06: five guesses a code, fewer under attack, and well before a hundred in a row', () => {
		const { code, guessing } = defaultPolicy;
		expect(code.attempts).toBe(5);
		expect(guessing.strictAttempts).toBeGreaterThan(0);
		expect(guessing.strictAttempts).toBeLessThan(code.attempts);
		expect(guessing.strictAfter).toBeLessThanOrEqual(100);
	});

	it('B03: five sends in fifteen minutes', () => {
		expect(defaultPolicy.throttle).toEqual({ sends: 5, window: 900 });
	});

	it('E10/E11: sixty days, refreshed daily', () => {
		expect(defaultPolicy.session).toEqual({ lifetime: 5_184_000, refreshAfter: 86_400 });
	});

	it('K12/A12: a link to a new address lives an hour, a code to it no longer than any other', () => {
		expect(defaultPolicy.emailChange).toEqual({ linkLifetime: 3600, freshFor: 900 });
	});

	it('keeps a deleted account thirty days, and a leave to restore it ten minutes', () => {
		expect(defaultPolicy.deletion).toEqual({ grace: 2_592_000, leave: 600 });
	});
});
