import { describe, expect, test } from 'vitest';
import type { DomainError } from '#lib/domain/errors.ts';
import { jsonOutcome, outcomeOf, outcomes } from '#lib/adapters/web/outcome.ts';

const errors: readonly DomainError[] = [
	{ code: 'invalid_email' },
	{ code: 'too_many_sends', retryAfter: 61 },
	{ code: 'delivery_failed' },
	{ code: 'invalid_code', attemptsLeft: null },
	{ code: 'invalid_code', attemptsLeft: 0 },
	{ code: 'invalid_code', attemptsLeft: 1 },
	{ code: 'invalid_code', attemptsLeft: 3 },
	{ code: 'expired_code' },
	{ code: 'too_many_attempts' }
];

describe('the table of outcomes', () => {
	test('every domain error is tried here', () => {
		expect(new Set(errors.map(({ code }) => code))).toEqual(new Set(Object.keys(outcomes)));
	});

	test.each(errors)('$code has words for a person and a wire code for a program', async (error) => {
		const { text, status } = outcomeOf(error);
		expect(text).toMatch(/^[A-Z].+\.$/);
		const response = jsonOutcome(error);
		expect(response.status).toBe(status);
		expect(await response.json()).toEqual({
			message: expect.stringMatching(/\S/),
			code: expect.stringMatching(/^[A-Z_]+$/)
		});
	});

	test('waiting is told in both headers, in whole seconds', () => {
		const response = jsonOutcome({ code: 'too_many_sends', retryAfter: 61 });
		expect(response.headers.get('retry-after')).toBe('61');
		expect(response.headers.get('x-retry-after')).toBe('61');
		expect(outcomeOf({ code: 'too_many_sends', retryAfter: 61 }).text).toContain('2 minutes');
	});
});
