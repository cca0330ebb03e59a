import { describe, expect, it } from 'vitest';
import { defaultPolicy, withEmailBudget, type AuthPolicy } from '#lib/domain/policy.ts';
import { aRequestSource, aNetwork, aProof } from '../../support/domain/builders.ts';
import { aFixture, aSignedIn, errorOf, type Fixture } from '../../support/domain/fixture.ts';

const ada = 'ada@example.com';
const nobody = 'nobody@example.com';
const about = { purpose: 'sign_in', codeKey: null, source: aRequestSource() } as const;

/** The error codes of so many requests of unknown clients, or `sent`. */
const ask = async (
	fixture: Fixture,
	email: string,
	times: number,
	from: (time: number) => string = () => 'home',
	purpose: 'sign_in' | 'email_verification' = 'sign_in'
): Promise<unknown[]> => {
	const answers = [];
	for (let time = 0; time < times; time += 1) {
		const network = aNetwork(from(time));
		answers.push(errorOf(await fixture.requestCode({ ...about, email, purpose, network })));
	}
	return answers;
};

const codesOf = (answers: readonly unknown[]): unknown[] =>
	answers.map((error) => (error as { code: string } | null)?.code ?? 'sent');

const fixtureWith = async (policy: AuthPolicy = defaultPolicy): Promise<Fixture> => {
	const fixture = aFixture({ policy });
	await fixture.signIn(ada);
	fixture.clock.advance(3600);
	return fixture;
};

const fiveSent = Array.from({ length: 5 }, () => 'sent');

describe('an unknown client', () => {
	it.each(['sign_in', 'email_verification'] as const)(
		'C01: gets the same answers for %s with and without an account',
		async (purpose) => {
			const answers = [];
			for (const email of [ada, nobody]) {
				answers.push(await ask(await fixtureWith(), email, 7, String, purpose));
				const limited = await fixtureWith(withEmailBudget(defaultPolicy, 4));
				answers.push(await ask(limited, email, 5, String, purpose));
			}
			expect(answers.slice(0, 2)).toEqual(answers.slice(2));
			expect(answers.slice(0, 2).map(codesOf)).toEqual([
				[...fiveSent, 'too_many_sends', 'too_many_sends'],
				['sent', 'sent', 'sent', 'over_budget', 'over_budget']
			]);
		}
	);

	it.each([
		['one network', () => 'home'],
		['five networks', String]
	])('S01: shares five sends to a mailbox, from %s, without a proof', async (_, from) => {
		const fixture = aFixture();
		expect(codesOf(await ask(fixture, ada, 6, from))).toEqual([...fiveSent, 'too_many_sends']);
		expect(await ask(fixture, ada, 1, () => 'elsewhere')).toMatchObject([
			{ code: 'too_many_sends', isKnown: false }
		]);
		expect(fixture.mailer.mails).toHaveLength(5);
	});
});

describe('the emails of an hour', () => {
	const tenth = (fixture: Fixture, person: number) =>
		ask(fixture, `p${person}@example.com`, 1, () => `${person}`);

	it('leave the last fifth to known devices', async () => {
		const fixture = await fixtureWith(withEmailBudget(defaultPolicy, 10));
		const { user } = await fixture.signIn(ada);
		fixture.clock.advance(3600);
		for (let person = 0; person < 8; person += 1) {
			expect(await tenth(fixture, person)).toEqual([null]);
		}
		expect(await tenth(fixture, 9)).toEqual([{ code: 'over_budget', retryAfter: 3600 }]);
		const known = { ...about, email: ada, user, network: aNetwork() };
		const answers = [];
		for (let send = 0; send < 3; send += 1) answers.push(errorOf(await fixture.requestCode(known)));
		expect(answers).toEqual([null, null, { code: 'over_budget', retryAfter: 3600 }]);
		expect(fixture.logged.slice(-2)).toEqual([
			{ event: 'email_budget_unknown_used_up', used: 8, limit: 10 },
			{ event: 'email_budget_used_up', used: 10, limit: 10 }
		]);
	});

	it('are logged once an hour, also by a process that only refuses', async () => {
		const policy = withEmailBudget(defaultPolicy, 5);
		const first = aFixture({ policy });
		const second = aFixture({ policy, ...first.stores });
		const events = ({ logged }: Fixture) => logged.map((line) => (line as { event: string }).event);
		for (let person = 0; person < 4; person += 1) await tenth(first, person);
		for (let person = 0; person < 3; person += 1) await tenth(second, person);
		expect([events(first), events(second)]).toEqual([
			['email_budget_unknown_used_up'],
			['email_budget_unknown_used_up']
		]);
		first.clock.advance(3600);
		for (let person = 0; person < 4; person += 1) await tenth(first, person);
		expect(events(first)).toEqual(['email_budget_unknown_used_up', 'email_budget_unknown_used_up']);
	});

	it('go to one network only in part', async () => {
		const fixture = aFixture({ policy: withEmailBudget(defaultPolicy, 100) });
		for (let person = 0; person < 5; person += 1) {
			expect(await ask(fixture, `p${person}@example.com`, 1)).toEqual([null]);
		}
		expect(await ask(fixture, nobody, 1)).toEqual([
			{ code: 'too_many_network_sends', retryAfter: 3600 }
		]);
		expect(await ask(fixture, nobody, 1, () => 'elsewhere')).toEqual([null]);
	});

	it('count codes and links, and no welcome or notice', async () => {
		const { fixture, signedIn: adas } = await aSignedIn(ada, {
			policy: withEmailBudget(defaultPolicy, 4)
		});
		expect((await fixture.askToMove(adas, 'new@example.com', 'link')).ok).toBe(true);
		await fixture.background.flush();
		expect(fixture.mailer.mails.map(({ kind }) => kind)).toContain('welcome');
		expect(codesOf(await ask(fixture, nobody, 2))).toEqual(['sent', 'over_budget']);
	});
});

describe('a proof of work', () => {
	const send = async (fixture: Fixture, changes: object) =>
		errorOf(await fixture.requestCode({ ...about, email: nobody, network: aNetwork(), ...changes }))
			?.code ?? 'sent';

	it('is needed by unknown clients where it is switched on, and valid once', async () => {
		const fixture = aFixture({ proofOfWork: true });
		expect(await send(fixture, {})).toBe('proof_required');
		expect(fixture.mailer.mails).toHaveLength(0);
		const proof = aProof();
		expect(await send(fixture, { proof })).toBe('sent');
		expect(await send(fixture, { proof })).toBe('proof_required');
	});

	it('is not needed by known devices, a session’s own email change, or to enter a code', async () => {
		const fixture = aFixture({ proofOfWork: true });
		await send(fixture, { email: ada, proof: aProof() });
		const code = fixture.mailer.lastCodeTo(ada, 'sign_in_code') ?? '';
		const signedIn = await fixture.enterCode(ada, code);
		if (!signedIn.ok) throw new Error('not signed in');
		const { user } = signedIn.value;
		expect(await send(fixture, { email: ada, user })).toBe('sent');
		expect((await fixture.askToMove(signedIn.value, 'new@example.com')).ok).toBe(true);
	});

	it('is ignored where it is switched off', async () => {
		const fixture = aFixture();
		const proof = aProof();
		expect([await send(fixture, { proof }), await send(fixture, { proof })]).toEqual([
			'sent',
			'sent'
		]);
	});
});
