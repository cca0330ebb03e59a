import { describe, expect, it } from 'vitest';
import {
	defaultPolicy,
	withEmailBudget,
	makeGuessWatch,
	type AuthPolicy
} from '#lib/domain/index.ts';
import { aDevice, aNetwork, aProof, aSender } from '../../support/domain/builders.ts';
import { aFixture, errorOf, valueOf, type Fixture } from '../../support/domain/fixture.ts';

const ada = 'ada@example.com';
const nobody = 'nobody@example.com';

/** The error codes of so many requests, each without a proof and from this network. */
const ask = async (
	fixture: Fixture,
	email: string,
	times: number,
	from: (time: number) => string = () => 'home',
	purpose: 'sign_in' | 'email_verification' = 'sign_in'
): Promise<unknown[]> => {
	const errors = [];
	for (let time = 0; time < times; time += 1) {
		const sender = { network: aNetwork(from(time)), sendProof: null };
		const input = { email, purpose, browser: null, device: aDevice(), sender };
		errors.push(errorOf(await fixture.requestCode(input)));
	}
	return errors;
};

const fixtureWith = async (policy: AuthPolicy = defaultPolicy): Promise<Fixture> => {
	const fixture = aFixture({ policy });
	await fixture.signIn(ada);
	fixture.clock.advance(3600);
	return fixture;
};

describe('an answer to an unknown client', () => {
	it.each(['sign_in', 'email_verification'] as const)(
		'S02 for %s is the same with and without an account, whatever it has to prove',
		async (purpose) => {
			const answers = [];
			for (const email of [ada, nobody]) {
				answers.push(await ask(await fixtureWith(), email, 7, () => 'home', purpose));
				answers.push(await ask(await fixtureWith(), email, 7, String, purpose));
				const limited = await fixtureWith(withEmailBudget(defaultPolicy, 4));
				answers.push(await ask(limited, email, 5, String, purpose));
			}
			expect(answers.slice(0, 3)).toEqual(answers.slice(3));
			const [home, elsewhere, limited] = answers.map((errors) =>
				errors.map((error) => (error as { code: string } | null)?.code ?? 'sent')
			);
			expect(home).toEqual([
				'sent',
				'sent',
				...Array.from({ length: 5 }, () => 'challenge_required')
			]);
			expect(elsewhere).toEqual([
				...Array.from({ length: 5 }, () => 'sent'),
				...['too_many_sends', 'too_many_sends']
			]);
			expect(limited).toContain('over_budget');
		}
	);

	it('is the same when its known device has used its own five sends', async () => {
		const fixture = await fixtureWith();
		const { user } = await fixture.signIn(ada);
		fixture.clock.advance(3600);
		for (let time = 0; time < 5; time += 1) {
			const known = { email: ada, purpose: 'sign_in', browser: null, device: aDevice() } as const;
			await fixture.requestCode({ ...known, user, sender: aSender({ sendProof: null }) });
		}
		expect(await ask(fixture, ada, 3)).toEqual(await ask(await fixtureWith(), ada, 3));
	});
});

describe('the five sends of a mailbox', () => {
	/** Requests without a proof, and then with one of the level that the answer states. */
	const prove = async (fixture: Fixture): Promise<readonly unknown[]> => {
		const network = aNetwork('home');
		const input = { email: ada, purpose: 'sign_in', browser: null, device: aDevice() } as const;
		const bare = await fixture.requestCode({ ...input, sender: { network, sendProof: null } });
		const error = errorOf(bare);
		if (error?.code !== 'challenge_required') return [error?.code ?? 'sent'];
		const sender = { network, sendProof: aProof({ level: error.level }) };
		const proven = await fixture.requestCode({ ...input, sender });
		return [error.level, errorOf(proven)?.code ?? 'sent'];
	};

	it('B01 the third to fifth from one network need a proof and count, and a proof buys no sixth', async () => {
		const fixture = aFixture();
		const answers = [];
		for (let time = 0; time < 6; time += 1) answers.push(await prove(fixture));
		expect(answers).toEqual([
			...[['sent'], ['sent']],
			...[0, 1, 2].map((level) => [level, 'sent']),
			['too_many_sends']
		]);
		expect(fixture.mailer.mails).toHaveLength(5);
		expect(errorOf(await fixture.request(ada))).toMatchObject({ code: 'too_many_sends' });
	});

	it('B01 five with a proof each are sent, and a sixth with a proof is refused', async () => {
		const fixture = aFixture();
		const codes = [];
		for (let time = 0; time < 6; time += 1) {
			codes.push(errorOf(await fixture.request(ada))?.code ?? 'sent');
		}
		expect(codes).toEqual([...Array.from({ length: 5 }, () => 'sent'), 'too_many_sends']);
		expect(fixture.mailer.mails).toHaveLength(5);
	});
});

describe('a known device', () => {
	it('S01 gets its emails while unknown clients exhaust their share, the mailbox and the network', async () => {
		const fixture = aFixture({ policy: withEmailBudget(defaultPolicy, 100) });
		const { user } = await fixture.signIn(ada);
		fixture.clock.advance(3600);
		await ask(fixture, ada, 9);
		for (let person = 0; person < 200; person += 1) {
			const sender = { network: aNetwork(`${person}`), sendProof: aProof() };
			const input = { email: `p${person}@example.com`, browser: null, device: aDevice(), sender };
			await fixture.requestCode({ ...input, purpose: 'sign_in' });
		}
		expect(await ask(fixture, nobody, 1)).toMatchObject([{ code: 'over_budget', isKnown: false }]);
		const sender = aSender({ network: aNetwork('home'), sendProof: null });
		const about = { email: ada, purpose: 'sign_in', browser: null, device: aDevice() } as const;
		for (let time = 0; time < 5; time += 1) {
			expect((await fixture.requestCode({ ...about, user, sender })).ok).toBe(true);
		}
	});

	it('is told when the whole limit is used', async () => {
		const fixture = aFixture({ policy: withEmailBudget(defaultPolicy, 4) });
		const { user } = await fixture.signIn(ada);
		// The welcome counts too.
		await fixture.background.flush();
		const sender = aSender({ sendProof: null });
		const about = { email: ada, purpose: 'sign_in', browser: null, device: aDevice() } as const;
		const codes = [];
		for (let time = 0; time < 3; time += 1) {
			codes.push(errorOf(await fixture.requestCode({ ...about, user, sender })));
		}
		expect(codes).toEqual([null, null, { code: 'over_budget', retryAfter: 3600, isKnown: true }]);
	});
});

describe('the emails of the hour', () => {
	it('are given back when the email was not sent, and the proof stays spent', async () => {
		const fixture = aFixture({ policy: withEmailBudget(defaultPolicy, 2) });
		expect(await ask(fixture, 'bounces@example.test', 3)).toEqual(
			Array.from({ length: 3 }, () => ({ code: 'delivery_failed' }))
		);
		expect(await ask(fixture, nobody, 1)).toEqual([null]);
	});

	it('include follow-ups, which are never refused, at their first attempt only', async () => {
		const fixture = aFixture({ policy: withEmailBudget(defaultPolicy, 5) });
		const code = await fixture.sendTo(ada);
		fixture.mailer.meet('refused');
		const adas = valueOf(await fixture.guess(ada, code));
		for (let time = 0; time < 3; time += 1) {
			await fixture.sendDue();
			fixture.clock.advance(60);
		}
		fixture.mailer.meet('sent');
		// The code and the welcome are two of the five emails. With the third, three are used, and work is due.
		const next = await ask(fixture, nobody, 2);
		expect(next).toMatchObject([null, { code: 'challenge_required' }]);
		await fixture.remove(adas);
		await fixture.sendDue();
		// A first attempt comes before another one of the welcome.
		expect(fixture.mailer.mails.slice(-2)).toMatchObject([
			{ kind: 'account_deleted', to: ada },
			{ kind: 'welcome', to: ada }
		]);
	});

	it('are not counted at all on a site that counts none, and neither are guesses', async () => {
		const policy = withEmailBudget(defaultPolicy, 'off');
		const fixture = aFixture({ policy });
		await fixture.signIn(ada);
		await fixture.background.flush();
		expect(fixture.mailer.mails.at(-1)).toMatchObject({ kind: 'welcome', to: ada });
		const { siteCounts } = fixture.stores;
		const { clock } = fixture;
		const watch = makeGuessWatch({ siteCounts, clock, policy, log: () => undefined });
		for (let wrong = 0; wrong < 100; wrong += 1) watch.wrong();
		expect((await watch.admit()).level).toBeNull();
		expect(await siteCounts.prune(new Date('2027-01-01T00:00:00Z'), 9)).toBe(0);
	});
});
