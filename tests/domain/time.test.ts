import { describe, expect, it } from 'vitest';
import {
	secondsAfter,
	wholeSecondsLeft,
	wholeSecondsSince,
	retryAfterSeconds
} from '#lib/domain/time.ts';
import { secondsFromStart, start } from '../support/domain/builders.ts';

describe('time', () => {
	it('is counted in seconds, forwards and backwards, and does not change the instant', () => {
		const instant = new Date(start);
		expect(secondsAfter(instant, 1.5)).toEqual(secondsFromStart(1.5));
		expect(secondsAfter(instant, -60)).toEqual(secondsFromStart(-60));
		expect(instant).toEqual(start);
	});

	it('B01/M13: a wait is whole, rounded up and never below one second', () => {
		const wait = (seconds: number): number => retryAfterSeconds(secondsFromStart(seconds), start);
		expect([900, 899.001, 1, 0.001, 0, -5].map(wait)).toEqual([900, 900, 1, 1, 1, 1]);
	});

	it('what is left is whole, rounded up and never below zero', () => {
		const left = (seconds: number): number => wholeSecondsLeft(secondsFromStart(seconds), start);
		expect([900, 899.001, 0.001, 0, -5].map(left)).toEqual([900, 900, 1, 0, 0]);
	});

	it('an age is whole, rounded down and never below zero, also when a clock was set back', () => {
		const age = (seconds: number): number => wholeSecondsSince(start, secondsFromStart(seconds));
		expect([12.999, 12, 0.999, 0, -5].map(age)).toEqual([12, 12, 0, 0, 0]);
	});
});
