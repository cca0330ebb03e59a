import { aSend } from '../../support/domain/builders.ts';
import { expect, it } from 'vitest';
import type { Email } from '#lib/domain/email.ts';
import { signIn } from '../account/account-examples.ts';
import {
	ada,
	aChallenge,
	anAttempt,
	aHash,
	anEmail,
	at,
	bob,
	policy,
	rounds
} from '../stores/examples.ts';
import { atOnce, raceWrongCodes, raceSends } from '../stores/races.ts';
import { storeContract } from '../stores/suite.ts';

const { window } = policy.throttle;
const { memory } = policy.wrongCodes;

export const throttleContract = storeContract('throttle', (backing, name) => {
	const port = () => backing.stores.throttle;
	const hit = (seconds: number, email = ada) => port().countSend(aSend(email, at(seconds)), policy);
	const giveBack = (seconds: number, email = ada, to = port()) =>
		to.giveBack(aSend(email, at(seconds)));
	const allowed = async (seconds: number, email = ada) =>
		(await hit(seconds, email)).kind === 'allowed';
	/** Sends at these seconds; true for each that was allowed. */
	const sends = async (...seconds: number[]): Promise<boolean[]> => {
		const outcomes: boolean[] = [];
		for (const second of seconds) outcomes.push(await allowed(second));
		return outcomes;
	};
	/** Email addresses that all deliver to one mailbox. */
	const variants = [
		'a.da@gmail.com',
		'ada+x@gmail.com',
		'ada@googlemail.com',
		'a.d.a+y@googlemail.com'
	] as Email[];
	const mixed = (index: number): Email => variants[index % variants.length] ?? ada;
	const five = [true, true, true, true, true];

	it('B03: after five at once the sixth is refused until one window has passed', async () => {
		expect(await sends(0, 0, 0, 0, 0, 899.999, 900)).toEqual([...five, false, true]);
	});

	it('B03: the window slides: each send frees one place when it leaves', async () => {
		expect(await sends(0, 300, 600, 700, 800, 899)).toEqual([...five, false]);
		expect(await sends(900, 901, 1199, 1200, 1201)).toEqual([true, false, false, true, false]);
	});

	it('B14: a retry at the stated time is allowed', async () => {
		await sends(10, 300, 600, 700, 800);
		for (let round = 0, now = at(850); round < 10; round += 1) {
			const refused = await port().countSend(aSend(ada, now), policy);
			if (refused.kind !== 'full') throw new Error('should have been refused');
			now = refused.retryAt;
			expect(await port().countSend(aSend(ada, now), policy)).toMatchObject({ kind: 'allowed' });
		}
	});

	it('R16 B01: of 100 concurrent sends to the variants of one mailbox exactly five are allowed (CVE-2024-1722)', async () => {
		for (let round = 0; round < rounds(1, 50); round += 1) {
			const local = `mixed${round}`;
			const to = (index: number) =>
				(index % 3 === 0 ? `${local}@gmail.com` : `${local}+${index}@googlemail.com`) as Email;
			expect(await raceSends(backing.instances, 100, to)).toBe(5);
		}
	});

	it('R16: another variant can give a send back', async () => {
		for (const second of [0, 1, 2, 3, 4]) await allowed(second, mixed(second));
		await giveBack(3, mixed(0));
		expect([await allowed(5, mixed(1)), await allowed(6, mixed(2))]).toEqual([true, false]);
	});

	it('R16: wrong codes count for one email address, not for its mailbox', async () => {
		await port().countWrongCode('eve+x@example.com' as Email, at(0), policy);
		const wrongCodes = async (email: string) => hit(1, email as Email);
		expect(await wrongCodes('eve+x@example.com')).toMatchObject({ wrongCodes: 1 });
		expect(await wrongCodes('eve@example.com')).toMatchObject({ wrongCodes: 0 });
		expect(await wrongCodes('eve+y@example.com')).toMatchObject({ wrongCodes: 0 });
	});

	it('B01: of 30 concurrent sends exactly as many are allowed as have left the window', async () => {
		await sends(0, 0, 0, 500, 500);
		expect(await raceSends(backing.instances, 30, ada, at(900))).toBe(3);
	});

	it('B11: of concurrent sends after four exactly one is allowed', async () => {
		await sends(0, 0, 0, 0);
		expect(await raceSends(backing.instances, 20, ada, at(1))).toBe(1);
	});

	it('M13: times more than a window ahead do not count: a clock set back blocks no address for a day', async () => {
		await sends(86_400, 86_400, 86_400, 86_400, 86_400);
		expect(await sends(0, 0, 0, 0, 0, 1)).toEqual([...five, false]);
		expect(await hit(1)).toEqual({ kind: 'full', retryAt: at(window) });
	});

	it('M13: times up to a window ahead count, and the wait is never longer than a window', async () => {
		await sends(800, 800, 800, 800, window);
		expect(await hit(0)).toEqual({ kind: 'full', retryAt: at(window) });
	});

	it('M13: a send more than a window ahead frees its place, and counted ones stay', async () => {
		await sends(86_400, 0, 10, 20, 30, 40);
		expect(await hit(41)).toEqual({ kind: 'full', retryAt: at(window) });
		expect(await sends(900, 909, 910)).toEqual([true, false, true]);
	});

	it('M13: after the clock is corrected at most five count, and the wait is at most a window', async () => {
		expect(await sends(3600, 3601, 3602)).toEqual([true, true, true]);
		expect(await sends(0, 1)).toEqual([true, true]);
		// The first three count again.
		expect(await hit(3603)).toEqual({ kind: 'full', retryAt: at(3600 + window) });
		expect(await sends(4500, 4501, 4502, 4503, 4504, 4505)).toEqual([...five, false]);
	});

	it('giving back the oldest, the newest or the only one keeps the others', async () => {
		await sends(0);
		await giveBack(0);
		await sends(1, 2, 3, 4, 5);
		await giveBack(1);
		await giveBack(5);
		expect(await sends(6, 7, 8)).toEqual([true, true, false]);
		expect(await hit(8)).toEqual({ kind: 'full', retryAt: at(2 + window) });
	});

	it('each of concurrent give-backs returns one send', async () => {
		await sends(0, 0, 0, 0, 0);
		await atOnce(backing.instances, 3, ({ throttle }) => giveBack(0, ada, throttle));
		expect(await sends(1, 1, 1, 1)).toEqual([true, true, true, false]);
	});

	it('giving back without a send does nothing', async () => {
		await giveBack(0, bob);
		expect(await backing.rows('throttle')).toBe(0);
		await sends(0, 1, 2, 3, 4);
		await giveBack(0.5);
		await giveBack(0, bob);
		expect(await allowed(5)).toBe(false);
	});

	it('giving back a send keeps the wrong codes', async () => {
		await sends(0);
		await port().countWrongCode(ada, at(1), policy);
		await giveBack(0);
		expect(await hit(2)).toEqual({ kind: 'allowed', wrongCodes: 1, emails: 0 });
	});

	it('a send returns the number of wrong codes so far', async () => {
		expect(await hit(0)).toEqual({ kind: 'allowed', wrongCodes: 0, emails: 0 });
		await port().countWrongCode(ada, at(1), policy);
		await port().countWrongCode(ada, at(2), policy);
		expect(await hit(3)).toEqual({ kind: 'allowed', wrongCodes: 2, emails: 0 });
		expect(await hit(3, bob)).toEqual({ kind: 'allowed', wrongCodes: 0, emails: 0 });
	});

	it('wrong codes are forgotten, and counted anew, once the memory of the last one is over', async () => {
		for (const second of [0, 1]) await port().countWrongCode(ada, at(second), policy);
		const counted = async (second: number) => {
			const verdict = await hit(second);
			return verdict.kind === 'allowed' ? verdict.wrongCodes : null;
		};
		expect([await counted(memory + 0.999), await counted(memory + 1)]).toEqual([2, 0]);
		await port().countWrongCode(ada, at(memory + 1), policy);
		expect(await counted(memory + 2)).toBe(1);
	});

	it('A06: a wrong code counts for an address without any send', async () => {
		await port().countWrongCode(ada, at(0), policy);
		expect(await hit(1)).toEqual({ kind: 'allowed', wrongCodes: 1, emails: 0 });
		expect(await sends(2, 3, 4, 5, 6)).toEqual([true, true, true, true, false]);
	});

	it('A06: every concurrent wrong code counts', async () => {
		expect(await raceWrongCodes(backing.instances, 100)).toBe(100);
	});

	// The memory store does not survive a restart.
	if (name !== 'memory') {
		it('A09: sends, attempts and sessions survive a restart', async () => {
			const tokenHash = aHash();
			const { user, session } = await signIn(backing.stores, bob, { tokenHash });
			await backing.stores.challenges.issue(aChallenge(), at(0));
			const attempt = () => backing.stores.challenges.countAttempt(anAttempt(), at(1), policy);
			await attempt();
			await sends(0, 0, 0, 0);
			await port().countWrongCode(ada, at(0), policy);
			await backing.reopen();
			expect((await attempt())?.attemptsUsed).toBe(2);
			expect(await hit(1)).toEqual({ kind: 'allowed', wrongCodes: 1, emails: 0 });
			expect(await allowed(1)).toBe(false);
			const found = await backing.stores.sessions.find(tokenHash, at(1));
			expect(found).toEqual({ user, session });
		});
	}

	it('pruning removes a row when its last send is a window old, and not earlier', async () => {
		await sends(-800, 0);
		expect(await port().prune(at(window - 0.001), policy, 100)).toBe(0);
		expect(await port().prune(at(window), policy, 100)).toBe(1);
		expect(await backing.rows('throttle')).toBe(0);
	});

	it('pruning keeps a row with a wrong code until that expires', async () => {
		await sends(0);
		await port().countWrongCode(ada, at(10), policy);
		expect(await port().prune(at(10 + memory - 0.001), policy, 100)).toBe(0);
		expect(await port().prune(at(10 + memory), policy, 100)).toBe(1);
	});

	it('pruning keeps a row with a send in the window whose wrong codes have expired', async () => {
		await port().countWrongCode(ada, at(0), policy);
		await sends(memory);
		expect(await port().prune(at(memory + 1), policy, 100)).toBe(0);
		expect(await port().prune(at(memory + window), policy, 100)).toBe(1);
	});

	it('pruning keeps a row whose last send is not the last one counted', async () => {
		await sends(800, 0);
		expect(await port().prune(at(1000), policy, 100)).toBe(0);
	});

	it('pruning removes an address without sends once its wrong codes have expired', async () => {
		await port().countWrongCode(ada, at(0), policy);
		expect(await port().prune(at(memory - 0.001), policy, 100)).toBe(0);
		expect(await port().prune(at(memory), policy, 100)).toBe(1);
	});

	it('pruning never removes more than the given number, even of equal rows, and finally removes all', async () => {
		const emails = Array.from({ length: 6 }, () => anEmail());
		const [unsent, alsoUnsent, guessed, alsoGuessed] = emails;
		for (const email of emails) await hit(0, email);
		for (const email of [unsent, alsoUnsent]) if (email) await giveBack(0, email);
		for (const email of [guessed, alsoGuessed])
			if (email) await port().countWrongCode(email, at(0), policy);
		await hit(memory);
		const prune = () => port().prune(at(memory), policy, 5);
		expect([await prune(), await prune(), await prune()]).toEqual([5, 1, 0]);
		expect(await backing.rows('throttle')).toBe(1);
	});

	it('B15: pruning concurrent with sends never allows more of them', async () => {
		for (let round = 0; round < rounds(3, 200); round += 1) {
			const email = anEmail();
			await hit(0, email);
			const [sent] = await Promise.all([
				raceSends(backing.instances, 10, email, at(window)),
				port().prune(at(window), policy, 10)
			]);
			expect(sent).toBe(5);
			expect(await allowed(window + 1, email)).toBe(false);
		}
	});
});
