import { describe, expect, it } from 'vitest';
import { defaultPolicy } from '#lib/domain/policy.ts';
import { attemptsLeft, challengeState } from '#lib/domain/sign-in/ports.ts';
import { anOpenChallenge, secondsFromStart } from '../../support/domain/builders.ts';

const state = (attempts: number, seconds = 0): string =>
	challengeState(anOpenChallenge({ attempts }), secondsFromStart(seconds), defaultPolicy);

describe('a challenge', () => {
	it('A01: is open for its first five guesses and exhausted for the sixth', () => {
		expect([1, 4, 5, 6, 7].map((attempts) => state(attempts))).toEqual([
			'open',
			'open',
			'open',
			'exhausted',
			'exhausted'
		]);
	});

	it('A12: is open before its expiry and expired from then on', () => {
		expect([599, 599.999, 600, 601].map((seconds) => state(1, seconds))).toEqual([
			'open',
			'open',
			'expired',
			'expired'
		]);
	});

	it('is expired rather than exhausted when it is both', () => {
		expect(state(9, 600)).toBe('expired');
	});

	it('has as many attempts left as were not counted, never fewer than zero', () => {
		const left = [0, 1, 5, 6, 99].map((attempts) =>
			attemptsLeft(anOpenChallenge({ attempts }), defaultPolicy)
		);
		expect(left).toEqual([5, 4, 0, 0, 0]);
	});
});
