import { describe, expect, it } from 'vitest';
import { memoryStores } from '#lib/adapters/memory/stores.ts';
import { fixedClock } from '#lib/adapters/memory/fixed-clock.ts';
import { makeGuessWatch, type GuessWatch } from '#lib/domain/limits/guess-watch.ts';
import { checkTicketsOf } from '#lib/domain/limits/check-tickets.ts';
import { StoreUnavailable } from '#lib/domain/errors.ts';
import type { SiteCounts } from '#lib/domain/limits/site-counts.ts';
import { defaultPolicy as policy } from '#lib/domain/policy.ts';
import { aNetwork, aProof, aSender, start } from '../../support/domain/builders.ts';
import { aFixture, errorOf, wrong, type Fixture } from '../../support/domain/fixture.ts';

const ada = 'ada@example.com';
const bound = policy.guessing.proofAbove;
const noProof = { sender: aSender({ sendProof: null }) };

const aWatch = (siteCounts: SiteCounts = memoryStores().siteCounts) => {
	const clock = fixedClock(start);
	const logged: object[] = [];
	const log = (event: string, counts: object): void => void logged.push({ event, ...counts });
	const make = (): GuessWatch => makeGuessWatch({ siteCounts, clock, policy, log });
	return { clock, logged, make, watch: make() };
};

const guess = (watch: GuessWatch, times: number): void => {
	for (let guessed = 0; guessed < times; guessed += 1) watch.wrong();
};

/** What a check needs now. */
const levelOf = async (watch: GuessWatch): Promise<number | null> => (await watch.admit()).level;

/** What concurrent checks need. */
const levels = (watch: GuessWatch, checks: number): Promise<(number | null)[]> =>
	Promise.all(Array.from({ length: checks }, () => levelOf(watch)));

describe('many wrong guesses over all email addresses', () => {
	it('make a period that begins above the bound and ends at half of it, with a log line for each', async () => {
		const { clock, logged, watch } = aWatch();
		const next = async (seconds: number, wrongs: number) => {
			guess(watch, wrongs);
			clock.advance(seconds);
			return levelOf(watch);
		};
		expect(await next(1, bound)).toBeNull();
		expect(await next(1, 1)).toBe(0);
		watch.refused();
		expect(await next(2, bound)).toBe(1);
		expect(await next(58, 0)).toBe(1);
		expect(await next(20, 0)).toBeNull();
		expect(await next(1, 0)).toBeNull();
		expect(logged).toEqual([
			{ event: 'many_wrong_guesses_started', wrongPerMinute: bound + 1 },
			{ event: 'many_wrong_guesses_ended', wrong: bound, refused: 1, seconds: 80 }
		]);
	});

	it('do not end while more than half of the bound is guessed a minute', async () => {
		const { clock, watch } = aWatch();
		guess(watch, bound + 1);
		expect(await levelOf(watch)).toBe(0);
		for (let minute = 0; minute < 3; minute += 1) {
			clock.advance(60);
			guess(watch, bound / 2 + 1);
			clock.advance(10);
			expect(await levelOf(watch)).toBe(0);
		}
		clock.advance(60);
		guess(watch, bound / 2);
		clock.advance(10);
		expect(await levelOf(watch)).toBeNull();
	});

	it('are seen by every instance, at most a second late', async () => {
		const { clock, watch, make } = aWatch();
		const other = make();
		expect(await levelOf(other)).toBeNull();
		guess(watch, bound + 1);
		await levelOf(watch);
		clock.advance(0.5);
		expect(await levelOf(other)).toBeNull();
		clock.advance(0.5);
		expect(await levelOf(other)).toBe(0);
	});

	it('of a burst within a second are no more than the bound, and right ones do not count', async () => {
		const { clock, watch } = aWatch();
		const free = async () => (await levels(watch, 200)).filter((level) => level === null).length;
		expect(await free()).toBe(bound + 1);
		expect(await free()).toBe(0);
		// A slow server has compared only some of them after a second.
		guess(watch, bound / 2);
		clock.advance(1);
		expect(await free()).toBe(0);
		guess(watch, bound / 2 + 1);
		clock.advance(1);
		expect(await free()).toBe(0);
		// The period ends, with some wrong guesses in the last minute.
		clock.advance(50);
		guess(watch, bound / 2);
		clock.advance(20);
		expect(await free()).toBe(bound / 2 + 1);
		clock.advance(70);
		for (let check = 0; check < 200; check += 1) {
			const { level, release } = await watch.admit();
			expect(level).toBeNull();
			watch.used();
			release();
		}
	});

	it('of a burst do not include checks that compared nothing, before and after a count', async () => {
		const { clock, watch } = aWatch();
		const admitted = async () => {
			const all = await Promise.all(Array.from({ length: 200 }, () => watch.admit()));
			return all.filter(({ level }) => level === null);
		};
		const first = await admitted();
		expect(first).toHaveLength(bound + 1);
		for (const { release } of first.slice(0, 10)) release();
		for (const { release } of first.slice(0, 10)) release();
		expect(await admitted()).toHaveLength(10);
		clock.advance(1);
		expect(await admitted()).toHaveLength(0);
		for (const { release } of first.slice(10, 30)) release();
		const second = await admitted();
		expect(second).toHaveLength(20);
		clock.advance(2);
		expect(await admitted()).toHaveLength(bound + 1 - 20);
		// Nothing of the first second counts any more.
		for (const { release } of first.slice(30)) release();
		expect(await admitted()).toHaveLength(0);
	});

	it('S23 do not begin with checks that cannot be guesses', async () => {
		const fixture = aFixture();
		const code = await fixture.sendTo(ada);
		for (let check = 0; check < 3 * bound; check += 1) {
			const [email, typed] = check % 2 === 0 ? [ada, 'no code'] : ['nobody@example.com', code];
			await fixture.guess(email, typed, noProof);
			await fixture.checkCode({
				email,
				code: typed,
				browser: null,
				purpose: 'sign_in',
				...noProof
			});
		}
		expect((await fixture.guess(ada, code, noProof)).ok).toBe(true);
	});

	it('are written once a second, however many checks there are', async () => {
		const { siteCounts } = memoryStores();
		let writes = 0;
		const counting: SiteCounts = {
			...siteCounts,
			countGuesses: (...given) => {
				writes += 1;
				return siteCounts.countGuesses(...given);
			}
		};
		const { clock, watch } = aWatch(counting);
		const checks = async () => {
			for (let check = 0; check < 10; check += 1) {
				watch.wrong();
				await levelOf(watch);
			}
			return levels(watch, 10);
		};
		await checks();
		expect(writes).toBe(1);
		clock.advance(1);
		expect((await checks()).filter((level) => level === null)).toHaveLength(10);
		expect(writes).toBe(2);
		// A clock that was set back does not stop it.
		clock.advance(-3600);
		await checks();
		expect(writes).toBe(3);
	});

	it('are written by one check at a time, also while the store is slow', async () => {
		const { siteCounts } = memoryStores();
		let writes = 0;
		let answer: () => void = () => undefined;
		const slow = new Promise<void>((resolve) => {
			answer = resolve;
		});
		const { clock, watch } = aWatch({
			...siteCounts,
			countGuesses: async (...given) => {
				writes += 1;
				await slow;
				return siteCounts.countGuesses(...given);
			}
		});
		guess(watch, bound + 1);
		const first = levelOf(watch);
		clock.advance(5);
		const second = levelOf(watch);
		answer();
		expect([await first, await second, writes]).toEqual([0, 0, 1]);
	});

	describe('are counted apart from used codes', () => {
		/** Counts the codes that were used, and the checks that are no longer guesses in progress. */
		const counting = () => {
			const counts = { used: 0, wrong: 0, released: 0 };
			const guessWatch: GuessWatch = {
				used: () => void (counts.used += 1),
				wrong: () => void (counts.wrong += 1),
				refused: () => undefined,
				admit: async () => ({ level: null, release: () => void (counts.released += 1) })
			};
			return { counts, guessWatch };
		};

		it('of every operation with a code', async () => {
			const { counts, guessWatch } = counting();
			const fixture = aFixture({ deps: { guessWatch }, reauthentication: true });
			const somebody = await fixture.signIn(ada);
			expect(counts.used).toBe(1);
			const code = await fixture.sendTo(ada, null, 'email_verification');
			await fixture.verifyEmail({ email: ada, code, browser: null, sender: aSender() });
			expect(counts.used).toBe(2);
			const moved = await fixture.move(somebody, 'ada@example.net');
			expect(counts.used).toBe(3);
			fixture.clock.advance(policy.emailChange.freshFor);
			const proof = await fixture.reauthenticationCode(moved, 'ada@example.org');
			await fixture.askToMove(moved, 'ada@example.org', 'code', proof);
			expect(counts.used).toBe(4);
		});

		it('and a right code that stays valid is neither, however often it is sent', async () => {
			const { counts, guessWatch } = counting();
			const fixture = aFixture({ deps: { guessWatch } });
			const owner = await fixture.signIn(ada);
			const bob = await fixture.signIn('bob@example.com');
			await fixture.move(owner, 'moved@example.com');
			await fixture.remove({ user: bob.user });
			fixture.clock.advance(600);
			const before = { ...counts };
			for (const [email, code] of [
				[ada, 'address_reserved'],
				['bob@example.com', 'account_deleted']
			] as const) {
				const right = await fixture.sendTo(email);
				for (let time = 0; time < 10; time += 1) {
					expect(errorOf(await fixture.guess(email, right))).toMatchObject({ code });
				}
			}
			expect(counts).toEqual({ ...before, released: before.released + 20 });
		});
	});

	it('are not lost while the store is down, and right codes neither', async () => {
		const { siteCounts } = memoryStores();
		const written: object[] = [];
		let isDown = true;
		const { clock, watch } = aWatch({
			...siteCounts,
			countGuesses: async (...given) => {
				if (isDown) throw new StoreUnavailable('closed');
				written.push(given[0]);
				return siteCounts.countGuesses(...given);
			}
		});
		guess(watch, bound + 1);
		watch.used();
		await expect(levelOf(watch)).rejects.toThrow('closed');
		isDown = false;
		clock.advance(1);
		expect(await levelOf(watch)).toBe(0);
		expect(written).toEqual([{ used: 1, wrong: bound + 1 }]);
	});
});

/** Guesses at the codes of many email addresses, until the period begins. */
const attack = async (fixture: Fixture): Promise<void> => {
	for (let person = 0; person * 5 <= bound; person += 1) {
		const email = `person${person}@example.com`;
		const code = await fixture.sendTo(email);
		for (let time = 0; time < 5; time += 1) await fixture.guess(email, wrong(code));
	}
	fixture.clock.advance(1);
};

/** All checks by ticket of this minute. */
const useTickets = async ({ spentProofs, clock }: Fixture): Promise<void> => {
	for (let used = 0; used < checkTicketsOf(policy); used += 1) {
		const ticket = aProof({ kind: 'ticket', level: 0 });
		await spentProofs.spend(ticket, aNetwork(`network ${used}`), clock.now(), policy);
	}
};

describe('a check during such a period', () => {
	it('S23 needs a proof from unknown clients, in every operation, with and without an account', async () => {
		const fixture = aFixture();
		await fixture.signIn(ada);
		const code = await fixture.sendTo(ada);
		await attack(fixture);
		const refused = { code: 'challenge_required', level: 0, ticketAfter: 0 };
		for (const email of [ada, 'nobody@example.com']) {
			const input = { email, code, browser: null, ...noProof };
			expect(errorOf(await fixture.guess(email, code, noProof))).toEqual(refused);
			expect(errorOf(await fixture.verifyEmail(input))).toEqual(refused);
			expect(errorOf(await fixture.checkCode({ ...input, purpose: 'sign_in' }))).toEqual(refused);
		}
		// The refused checks cost no attempt.
		for (let time = 0; time < 9; time += 1) await fixture.guess(ada, wrong(code), noProof);
		expect((await fixture.guess(ada, code)).ok).toBe(true);
	});

	it('spends its proof, which is too little when it is of a lower level', async () => {
		const fixture = aFixture();
		const code = await fixture.sendTo(ada);
		await attack(fixture);
		const weak = { sender: aSender({ sendProof: aProof({ level: -1 }) }) };
		expect(errorOf(await fixture.guess(ada, code, weak))?.code).toBe('challenge_required');
		const once = { sender: aSender({ sendProof: aProof({ level: 0 }) }) };
		expect(errorOf(await fixture.guess(ada, wrong(code), once))?.code).toBe('invalid_code');
		expect(errorOf(await fixture.guess(ada, code, once))?.code).toBe('challenge_required');
		guess(fixture.guessWatch, bound);
		fixture.clock.advance(1);
		expect(errorOf(await fixture.guess(ada, code, noProof))).toMatchObject({ level: 1 });
		const ticket = { sender: aSender({ sendProof: aProof({ kind: 'ticket', level: 0 }) }) };
		expect((await fixture.guess(ada, code, ticket)).ok).toBe(true);
	});

	it('S23 has few tickets a minute over all networks, and then says when there are more', async () => {
		const fixture = aFixture();
		const people = Array.from(
			{ length: checkTicketsOf(policy) + 1 },
			(_, i) => `p${i}@example.com`
		);
		const codes: string[] = [];
		for (const email of people) codes.push(await fixture.sendTo(email));
		await attack(fixture);
		const byTicket = (person: number) => {
			const sendProof = aProof({ kind: 'ticket', level: 0, id: `ticket ${person}` });
			const sender = aSender({ sendProof, network: aNetwork(`network ${person}`) });
			return fixture.guess(people[person] ?? '', codes[person] ?? '', { sender });
		};
		const last = people.length - 1;
		for (let person = 0; person < last; person += 1) {
			expect((await byTicket(person)).ok).toBe(true);
		}
		// The clock of the fixture starts with a minute. The attack took a second of it.
		const refused = { code: 'challenge_required', level: 0, ticketAfter: 59 };
		expect(errorOf(await byTicket(last))).toEqual(refused);
		for (const email of [people[0] ?? '', 'nobody@example.com']) {
			expect(errorOf(await fixture.guess(email, '000000', noProof))).toEqual(refused);
		}
		fixture.clock.advance(58.5);
		expect(errorOf(await byTicket(last))).toMatchObject({ ticketAfter: 1 });
		// A client with JavaScript is not affected.
		const work = { sender: aSender({ sendProof: aProof() }) };
		const code = await fixture.sendTo('bob@example.com');
		expect((await fixture.guess('bob@example.com', code, work)).ok).toBe(true);
		fixture.clock.advance(0.5);
		expect((await byTicket(last)).ok).toBe(true);
	});

	it('needs none from a known device, and none after the period', async () => {
		const fixture = aFixture();
		const browser = fixture.aBrowser();
		const signedIn = await fixture.guess(ada, await fixture.sendTo(ada, browser), {
			browser,
			keepsCookies: true
		});
		const key = signedIn.ok ? signedIn.value.deviceKey : null;
		if (key === null) throw new Error('no device key');
		const claim = { kind: 'browser', key } as const;
		const code = await fixture.sendTo(ada, browser);
		await attack(fixture);
		const never = { kind: 'program', key: 'k'.repeat(22) } as never;
		const unknown = await fixture.guess(ada, code, { ...noProof, browser, claim: never });
		expect(errorOf(unknown)).toMatchObject({ code: 'challenge_required' });
		await useTickets(fixture);
		const known = await fixture.guess(ada, code, { ...noProof, browser, claim });
		expect(known.ok).toBe(true);
		const later = await fixture.sendTo('bob@example.com');
		fixture.clock.advance(80);
		expect((await fixture.guess('bob@example.com', later, noProof)).ok).toBe(true);
		expect(fixture.logged).toMatchObject([
			{ event: 'many_wrong_guesses_started' },
			{ event: 'many_wrong_guesses_ended', refused: 1 }
		]);
	});
});
