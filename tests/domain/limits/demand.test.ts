import { describe, expect, it } from 'vitest';
import {
	hourOf,
	nextHour,
	shareOf,
	ticketsOf,
	withEmailBudget
} from '#lib/domain/limits/budget.ts';
import { checkTicketsOf } from '#lib/domain/limits/check-tickets.ts';
import { demandOf, guessLevel, type Pressure } from '#lib/domain/limits/demand.ts';
import { defaultPolicy as policy } from '#lib/domain/policy.ts';

const quiet: Pressure = { sends: 0, fromNetwork: 0, emails: 0, usedCodes: 0, network: 0 };
const level = (changes: Partial<Pressure>, limit: number | 'none' | 'off' = 'none') =>
	demandOf({ ...quiet, ...changes }, withEmailBudget(policy, limit)).level;
const isBeyond = (changes: Partial<Pressure>, limit: number | 'none' | 'off') =>
	demandOf({ ...quiet, ...changes }, withEmailBudget(policy, limit)).isBeyond;

describe('the work that a send needs', () => {
	it.each([
		['the first two from a network', { sends: 3, fromNetwork: 1 }, null],
		['the third from one network', { sends: 2, fromNetwork: 2 }, 0],
		['the third from one network, after others', { sends: 3, fromNetwork: 2 }, 1],
		['the fifth from one network', { sends: 4, fromNetwork: 4 }, 2],
		['the fifth from another network', { sends: 4, fromNetwork: 1 }, null],
		['the usual number of emails', { emails: 599, usedCodes: 500 }, null],
		['more than usual', { emails: 600, usedCodes: 600 }, 0],
		['twice as many', { emails: 1200, usedCodes: 1200 }, 1],
		['eight times as many', { emails: 4800, usedCodes: 4800 }, 3],
		['a network with 2 % of them', { emails: 1200, usedCodes: 1200, network: 24 }, 1],
		['a network with 16 % of them', { emails: 1200, usedCodes: 1200, network: 192 }, 4],
		['few codes unused', { emails: 250, usedCodes: 50 }, null],
		['most codes unused', { emails: 250, usedCodes: 49 }, 0],
		['most codes of few emails unused', { emails: 199 }, null],
		['most codes of 200 emails unused', { emails: 200 }, 0],
		[
			'all together, at most the highest',
			{ sends: 4, fromNetwork: 4, emails: 1e6, network: 1e6 },
			7
		]
	] as const)('without a limit: %s', (_case, pressure, expected) => {
		expect(level(pressure)).toBe(expected);
		expect(isBeyond(pressure, 'none')).toBe(false);
	});

	it.each([
		['below 60 %', { emails: 599, usedCodes: 599 }, null, false],
		['from 60 %', { emails: 600 }, 0, false],
		['from 65 %', { emails: 650 }, 1, false],
		['near the end of the share', { emails: 799 }, 3, false],
		['at the end of the share', { emails: 800 }, 3, false],
		['from 60 %, the second of a network', { emails: 600, network: 1 }, 3, false],
		['from 60 %, the third of a network', { emails: 600, network: 2 }, 6, false],
		['from 60 %, the fourth of a network', { emails: 600, network: 3 }, 7, true],
		['2 % of the share in one network', { network: 16 }, null, false],
		['more than 2 % of the share in one network', { network: 17 }, 0, false],
		['each further 1 % doubles the work', { network: 16 + 8 * 3 }, 3, false],
		['the most that a client can solve in time', { network: 16 + 8 * 7 + 1 }, 7, false],
		['a resend never refuses', { network: 16 + 8 * 7 + 1, sends: 4, fromNetwork: 4 }, 7, false],
		['a tenth of the share in one network', { network: 16 + 8 * 8 }, 7, true],
		['a resend adds to it', { network: 16 + 8 * 3, sends: 3, fromNetwork: 3 }, 4, false]
	] as const)('with 1000 emails an hour: %s', (_case, pressure, expected, beyond) => {
		expect(level(pressure, 1000)).toBe(expected);
		expect(isBeyond(pressure, 1000)).toBe(beyond);
	});

	it.each([
		[19, 0],
		[20, 3],
		[40, 6]
	])('with 60,000 of 100,000 emails an hour used: after %i of a network', (network, expected) => {
		expect(level({ emails: 60_000, network }, 100_000)).toBe(expected);
	});

	it('without a count of the site only the mailbox counts', () => {
		expect(level({ emails: 1e6, network: 1e6 }, 'off')).toBeNull();
		expect(level({ emails: 1e6, network: 1e6, sends: 2, fromNetwork: 2 }, 'off')).toBe(0);
	});

	it('the checks by ticket are at most a twentieth of those, and at least one', () => {
		expect(checkTicketsOf(policy)).toBe(3);
		const { guessing } = policy;
		expect(checkTicketsOf({ guessing: { ...guessing, proofAbove: 5 } })).toBe(1);
	});

	it.each([
		[60, 0],
		[119, 0],
		[120, 1],
		[1e9, 7]
	])('at %i wrong guesses a minute, a check has level %i', (wrong, expected) => {
		expect(guessLevel(wrong, policy)).toBe(expected);
	});
});

describe('the parts of the budget', () => {
	it('an email counts for the hour by the clock, which ends with its last millisecond', () => {
		const hour = (time: string) => hourOf(new Date(`2026-03-01T${time}Z`)).toISOString();
		expect([hour('12:00:00.000'), hour('12:59:59.999'), hour('13:00:00.000')]).toEqual([
			'2026-03-01T12:00:00.000Z',
			'2026-03-01T12:00:00.000Z',
			'2026-03-01T13:00:00.000Z'
		]);
		expect(nextHour(new Date('2026-03-01T12:59:59.999Z'))).toEqual(
			new Date('2026-03-01T13:00:00.000Z')
		);
	});

	it.each([
		[1, 0, 1],
		[5, 4, 1],
		[100, 80, 4],
		[1000, 800, 40],
		['none', 480, 24]
	] as const)(
		'of %s emails, unknown clients share %i, and %i are for tickets',
		(limit, share, tickets) => {
			const { budget } = withEmailBudget(policy, limit);
			expect([shareOf(budget), ticketsOf(budget)]).toEqual([share, tickets]);
		}
	);
});
