import { describe, expect, it } from 'vitest';
import type { Challenge, SessionlessChallenge } from '#lib/domain/sign-in/ports.ts';
import { challengeState } from '#lib/domain/sign-in/challenge.ts';
import {
	adasLaptop,
	adasPhone,
	aChallenge,
	anAttempt,
	aHash,
	anEmail,
	aRedemption,
	at,
	bob,
	policy,
	rounds
} from '../stores/examples.ts';
import { atOnce, raceAttempts, raceIssueBesideGuess } from '../stores/races.ts';
import { storeContract } from '../stores/suite.ts';

export const challengesContract = storeContract('challenges', (backing) => {
	const port = () => backing.stores.challenges;
	/** At the moment it was requested. */
	const issue = (challenge: SessionlessChallenge) => port().issue(challenge, challenge.createdAt);
	const attempt = (but: Parameters<typeof anAttempt>[0] = {}, now = at(1)) =>
		port().countAttempt(anAttempt(but), now, policy);
	const guessTimes = async (times: number, but: Parameters<typeof anAttempt>[0] = {}) => {
		const counted: (Challenge | null)[] = [];
		for (let guessed = 0; guessed < times; guessed += 1) counted.push(await attempt(but));
		return counted;
	};

	it('a challenge comes back as it was issued, to the millisecond, with the guess counted', async () => {
		const challenge = aChallenge({ attemptsUsed: 2, expiresAt: at(600.123) });
		await issue(challenge);
		expect(await attempt()).toEqual({ ...challenge, attemptsUsed: 3 });
	});

	it('A08: a new challenge replaces the one of the same purpose, address and browser as a whole', async () => {
		for (const boundTo of [null, adasPhone]) {
			const earlier = aChallenge({ boundTo });
			await issue(earlier);
			await guessTimes(3, { boundTo });
			const newest = aChallenge({ boundTo, expiresAt: at(700), createdAt: at(100) });
			await issue(newest);
			expect(await attempt({ boundTo })).toEqual({ ...newest, attemptsUsed: 1 });
			expect(await backing.stores.signIns.redeem(aRedemption(earlier))).toBeNull();
		}
		expect(await backing.rows('challenges')).toBe(2);
	});

	it('challenges of other browsers stay untouched by a new one', async () => {
		const phones = aChallenge({ boundTo: adasPhone });
		const anybodys = aChallenge();
		await issue(phones);
		await issue(anybodys);
		await issue(aChallenge({ boundTo: adasLaptop }));
		expect(await attempt({ boundTo: adasPhone })).toEqual({ ...phones, attemptsUsed: 1 });
		expect(await attempt()).toEqual({ ...anybodys, attemptsUsed: 1 });
	});

	it('a challenge requested later stays in place, in either order of issue', async () => {
		for (const boundTo of [null, adasPhone]) {
			const later = aChallenge({ boundTo, createdAt: at(10) });
			await issue(later);
			await port().issue(aChallenge({ boundTo, createdAt: at(9.999) }), at(11));
			expect(await attempt({ boundTo })).toEqual({ ...later, attemptsUsed: 1 });
			const same = aChallenge({ boundTo, createdAt: at(10) });
			await port().issue(same, at(11));
			expect(await attempt({ boundTo })).toEqual({ ...same, attemptsUsed: 1 });
		}
		expect(await backing.rows('challenges')).toBe(2);
	});

	it('M13: a challenge requested in the future does not stay: a clock set back blocks no one', async () => {
		await issue(aChallenge({ createdAt: at(3600), expiresAt: at(4200) }));
		const challenge = aChallenge({ createdAt: at(5) });
		await port().issue(challenge, at(6));
		expect(await attempt()).toEqual({ ...challenge, attemptsUsed: 1 });
		await port().issue(aChallenge({ createdAt: at(4.999) }), at(5));
		expect((await attempt())?.id).toBe(challenge.id);
	});

	it('of two challenges issued concurrently the later requested one stays', async () => {
		for (let round = 0; round < rounds(5, 200); round += 1) {
			const email = anEmail();
			const later = aChallenge({ email, createdAt: at(0.001) });
			const order = [aChallenge({ email }), later];
			if (round % 2 === 0) order.reverse();
			await atOnce(backing.instances, 2, ({ challenges }, index) =>
				challenges.issue(order[index] ?? later, at(1))
			);
			expect((await attempt({ email }))?.id).toBe(later.id);
		}
	});

	it('A10: an attempt for another purpose neither opens a challenge nor uses its attempts', async () => {
		const challenge = aChallenge({ boundTo: adasPhone });
		await issue(challenge);
		await issue(aChallenge());
		const others = ['email_verification', 'email_change', 'account_restore'] as const;
		for (const purpose of others) {
			expect(await attempt({ purpose, boundTo: adasPhone })).toBeNull();
			expect(await attempt({ purpose })).toBeNull();
		}
		expect(await port().latestOf(adasPhone, 'email_change')).toBeNull();
		expect(await port().latestOf(adasPhone, 'sign_in')).toEqual(challenge);
	});

	it('A10: challenges of other purposes stay untouched by a new one', async () => {
		const others = ['email_verification', 'email_change', 'account_restore'] as const;
		const waiting = others.map((purpose) => aChallenge({ purpose, boundTo: adasPhone }));
		for (const one of waiting) await issue(one);
		await issue(aChallenge({ boundTo: adasPhone }));
		for (const one of waiting) {
			expect(await port().latestOf(adasPhone, one.purpose)).toEqual(one);
		}
	});

	it('an attempt applies to the live one of the address when its browser has none', async () => {
		const anybodys = aChallenge();
		await issue(anybodys);
		expect((await attempt({ boundTo: adasPhone }))?.id).toBe(anybodys.id);
	});

	it('an attempt applies to the live one of the address from the instant on at which that of its browser expires', async () => {
		const anybodys = aChallenge({ expiresAt: at(900) });
		await issue(anybodys);
		await issue(aChallenge({ boundTo: adasPhone, expiresAt: at(600) }));
		expect((await attempt({ boundTo: adasPhone }, at(600)))?.id).toBe(anybodys.id);
	});

	it('an attempt applies to the live one of the address when that of its browser has no attempts left', async () => {
		const anybodys = aChallenge();
		await issue(anybodys);
		await issue(aChallenge({ boundTo: adasPhone, attemptsUsed: policy.code.attempts }));
		expect((await attempt({ boundTo: adasPhone }))?.id).toBe(anybodys.id);
	});

	it('with none live, an attempt applies to that of the browser', async () => {
		const phones = aChallenge({ boundTo: adasPhone, attemptsUsed: policy.code.attempts });
		await issue(aChallenge({ expiresAt: at(1) }));
		await issue(phones);
		expect(await attempt({ boundTo: adasPhone })).toEqual({ ...phones, attemptsUsed: 6 });
	});

	it('with none live and none of the browser, an attempt applies to that of the address', async () => {
		const anybodys = aChallenge({ expiresAt: at(1) });
		await issue(anybodys);
		expect((await attempt({ boundTo: adasPhone }))?.id).toBe(anybodys.id);
	});

	it('a challenge of another browser never changes', async () => {
		const phones = aChallenge({ boundTo: adasPhone });
		await issue(phones);
		expect(await guessTimes(3)).toEqual([null, null, null]);
		expect(await guessTimes(3, { boundTo: adasLaptop })).toEqual([null, null, null]);
		expect((await port().latestOf(adasPhone, 'sign_in'))?.attemptsUsed).toBe(0);
	});

	it('A11: an attempt at one address costs another nothing', async () => {
		await issue(aChallenge());
		await issue(aChallenge({ email: bob }));
		await guessTimes(6, { email: bob });
		expect((await attempt())?.attemptsUsed).toBe(1);
	});

	it('A12: a challenge is live at 599 s and expired at 601 s, and a miss does not extend it', async () => {
		await issue(aChallenge());
		const early = (await attempt({}, at(599))) as Challenge;
		expect(challengeState(early, at(599), policy)).toBe('open');
		const late = (await attempt({}, at(601))) as Challenge;
		expect(challengeState(late, at(601), policy)).toBe('expired');
		expect(late.expiresAt).toEqual(at(600));
	});

	it('A01: of 200 concurrent attempts exactly five are compared, and one more gets “too late”', async () => {
		for (let round = 0; round < rounds(1, 50); round += 1) {
			expect(await raceAttempts(backing.instances, 200)).toEqual([1, 2, 3, 4, 5, 6]);
		}
	});

	it('A07: a code issued during a wrong code works, and the one it supersedes never works again', async () => {
		expect(await raceIssueBesideGuess()(backing.instances, rounds(5, 500))).toEqual({
			earlierWorked: 0,
			newestFailed: 0
		});
	});

	it('of codes issued concurrently for one place exactly one is left', async () => {
		const issued = await atOnce(backing.instances, 20, async ({ challenges }) => {
			const one = aChallenge();
			await challenges.issue(one, at(0));
			return { ...one, attemptsUsed: 1 };
		});
		expect(await backing.rows('challenges')).toBe(1);
		expect(issued).toContainEqual(await attempt());
	});

	it('the latest of a browser is the one it requested last, for any address', async () => {
		const last = aChallenge({ email: bob, boundTo: adasPhone, createdAt: at(20) });
		await issue(aChallenge({ boundTo: adasPhone, createdAt: at(10) }));
		await issue(last);
		await issue(aChallenge({ email: anEmail(), boundTo: adasPhone, createdAt: at(15) }));
		await issue(aChallenge({ boundTo: adasLaptop, createdAt: at(30) }));
		expect(await port().latestOf(adasPhone, 'sign_in')).toEqual(last);
	});

	it('the latest of a browser is found expired and exhausted too', async () => {
		const dead = aChallenge({ boundTo: adasPhone, attemptsUsed: 6, expiresAt: at(-1) });
		await issue(dead);
		expect(await port().latestOf(adasPhone, 'sign_in')).toEqual(dead);
	});

	describe('the bounce of an email', () => {
		it('marks its challenge with the time, and nothing else changes', async () => {
			const bounced = aChallenge({ boundTo: adasPhone });
			const other = aChallenge({ boundTo: adasLaptop });
			for (const one of [bounced, other]) await issue(one);
			const marked = { ...bounced, bouncedAt: at(5) };
			await port().markBounced(bounced.id, at(5));
			expect(await port().latestOf(adasPhone, 'sign_in')).toEqual(marked);
			expect(await port().latestOf(adasLaptop, 'sign_in')).toEqual(other);
			expect(await attempt({ boundTo: adasPhone })).toEqual({ ...marked, attemptsUsed: 1 });
		});

		it('does not mark a later challenge, which replaces the mark', async () => {
			const earlier = aChallenge({ boundTo: adasPhone });
			await issue(earlier);
			await port().markBounced(earlier.id, at(5));
			const later = aChallenge({ boundTo: adasPhone, createdAt: at(9) });
			await issue(later);
			await port().markBounced(earlier.id, at(10));
			expect(await port().latestOf(adasPhone, 'sign_in')).toEqual(later);
		});
	});

	it('pruning removes challenges that expired before or at the given moment, and never a live one', async () => {
		const living = aChallenge({ email: bob, expiresAt: at(601) });
		await issue(aChallenge({ expiresAt: at(600) }));
		await issue(aChallenge({ boundTo: adasPhone, expiresAt: at(10) }));
		await issue(living);
		expect(await port().prune(at(600), 100)).toBe(2);
		expect(await backing.rows('challenges')).toBe(1);
		expect((await attempt({ email: bob }))?.id).toBe(living.id);
		expect(await attempt()).toBeNull();
	});

	it('pruning keeps a live one without attempts left', async () => {
		await issue(aChallenge({ attemptsUsed: 6 }));
		await issue(aChallenge({ email: bob, expiresAt: at(599) }));
		expect(await port().prune(at(599), 100)).toBe(1);
		expect(await backing.rows('challenges')).toBe(1);
		expect(await port().prune(at(600), 100)).toBe(1);
	});

	it('B15: two concurrent prunings neither fail nor count a row twice', async () => {
		for (let made = 0; made < 40; made += 1) await issue(aChallenge({ boundTo: aHash() }));
		const removed = await atOnce(backing.instances, 8, ({ challenges }) =>
			challenges.prune(at(700), 5)
		);
		const sum = removed.reduce((total, one) => total + one);
		expect(Math.max(...removed)).toBe(5);
		expect(await backing.rows('challenges')).toBe(40 - sum);
		expect(await port().prune(at(700), 100)).toBe(40 - sum);
		expect(await backing.rows('challenges')).toBe(0);
	});

	it('a challenge id is unique', async () => {
		const challenge = aChallenge();
		await issue(challenge);
		const twin = aChallenge({ id: challenge.id, email: bob });
		await expect(issue(twin)).rejects.toMatchObject({ name: 'StoreUnavailable' });
		expect((await attempt())?.id).toBe(challenge.id);
	});
});
