import { describe, expect, it } from 'vitest';
import { defaultPolicy } from '#lib/domain/policy.ts';
import { attemptsLeft, challengeState } from '#lib/domain/sign-in/ports.ts';
import { anOpenChallenge, secondsFromStart } from '../../support/domain/builders.ts';

const state = (attempts: number, seconds = 0): string =>
	challengeState(anOpenChallenge({ attempts }), secondsFromStart(seconds), defaultPolicy);

describe('a challenge', () => {
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
