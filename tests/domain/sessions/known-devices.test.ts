import { describe, expect, it } from 'vitest';
import { plainSecretHasher } from '../../support/memory/drivers.ts';
import { defaultPolicy, type AuthPolicy } from '#lib/domain/policy.ts';
import { parseProgramKey, type ProgramKey, type PresentedKey } from '#lib/domain/secret.ts';
import type { RequestCodeInput } from '#lib/domain/sign-in/request-code.ts';
import type { VerifiedCode } from '#lib/domain/sign-in/verify-code.ts';
import { aRequestSource, aNetwork } from '../../support/domain/builders.ts';
import { aFixture, aSignedIn, errorOf, type Fixture, wrong } from '../../support/domain/fixture.ts';

const ada = 'ada@example.com';
const eve = 'eve@example.com';
const { window } = defaultPolicy.throttle;
const day = 24 * 3600;

const aProgram = (name = 'p'): PresentedKey => ({
	kind: 'program',
	key: name.repeat(22) as ProgramKey
});

/** The result of a request for a code by a client that shows this of itself. */
const ask = async (
	fixture: Fixture,
	email: string,
	shown: Partial<RequestCodeInput> = {}
): Promise<object | null> => {
	const about = { source: aRequestSource(), network: aNetwork() };
	const input = { email, purpose: 'sign_in', codeKey: null, ...about } as const;
	return errorOf(await fixture.requestCode({ ...input, ...shown }));
};

/** Signs in on a browser or program. A sign-in in a browser gives it a key. */
const signInOn = async (
	fixture: Fixture,
	email: string,
	presentedKey: PresentedKey | null = null
): Promise<VerifiedCode & { readonly presentedKey: PresentedKey }> => {
	const codeKey = fixture.aCodeKey();
	const bound = { codeKey: presentedKey?.kind === 'program' ? null : codeKey, presentedKey };
	if ((await ask(fixture, email, bound)) !== null) throw new Error('no code was sent');
	const code = fixture.mailer.lastCodeTo(email, 'sign_in_code') ?? '';
	const verified = await fixture.enterCode(email, code, { ...bound, keepsCookies: true });
	if (!verified.ok) throw new Error(JSON.stringify(verified.error));
	const { deviceKey } = verified.value;
	const known = deviceKey === null ? presentedKey : { kind: 'browser' as const, key: deviceKey };
	if (known === null) throw new Error('no key');
	return { ...verified.value, presentedKey: known };
};

/** Sends until one is refused. Returns how many were allowed. */
const sendsOf = async (
	fixture: Fixture,
	email: string,
	shown: Partial<RequestCodeInput> = {}
): Promise<number> => {
	for (let sent = 0; sent < 20; sent += 1) {
		if ((await ask(fixture, email, shown)) !== null) return sent;
	}
	return 20;
};

const guessedOften = async (fixture: Fixture, email: string): Promise<void> => {
	for (let guesses = 0; guesses < defaultPolicy.wrongCodes.strictAfter; guesses += 1) {
		await fixture.throttle.countWrongCode(email as never, fixture.clock.now(), fixture.policy);
	}
};

describe('a known device', () => {
	it('of one account shares its sends with the other devices of the account', async () => {
		const fixture = aFixture();
		const one = await signInOn(fixture, ada);
		const other = await signInOn(fixture, ada, aProgram());
		fixture.clock.advance(window);
		expect(await sendsOf(fixture, ada, { presentedKey: one.presentedKey })).toBe(5);
		expect(await sendsOf(fixture, ada, { presentedKey: other.presentedKey })).toBe(0);
	});

	it('T01 R13: is every live session of the account, and no session of another one', async () => {
		const { fixture, user } = await aSignedIn(ada);
		const { user: other } = await fixture.signIn(eve);
		fixture.clock.advance(window);
		expect(await sendsOf(fixture, ada)).toBe(5);
		expect(await sendsOf(fixture, ada, { user: other })).toBe(0);
		expect(await sendsOf(fixture, ada, { user })).toBe(5);
	});

	it('gets the send back that could not be handed over, and unknown clients get theirs', async () => {
		const fixture = aFixture();
		const { presentedKey } = await signInOn(fixture, ada);
		fixture.clock.advance(window);
		fixture.mailer.meet('not_sent');
		for (let send = 0; send < 9; send += 1) {
			expect(await ask(fixture, ada, { presentedKey })).toEqual({ code: 'delivery_failed' });
			expect(await ask(fixture, ada)).toEqual({ code: 'delivery_failed' });
		}
		fixture.mailer.meet('sent');
		expect(await sendsOf(fixture, ada, { presentedKey })).toBe(5);
		expect(await sendsOf(fixture, ada)).toBe(5);
	});

	it('T01: keeps five attempts for a code of its own while unknown clients have one', async () => {
		const fixture = aFixture();
		const { presentedKey } = await signInOn(fixture, ada);
		await guessedOften(fixture, ada);
		const leftFor = async (shown: Partial<RequestCodeInput>): Promise<unknown> => {
			const codeKey = fixture.aCodeKey();
			expect(await ask(fixture, ada, { codeKey, ...shown })).toBeNull();
			const code = fixture.mailer.lastCodeTo(ada, 'sign_in_code') ?? '';
			return errorOf(await fixture.enterCode(ada, wrong(code), { codeKey, ...shown }));
		};
		expect(await leftFor({ presentedKey })).toEqual({ code: 'invalid_code', attemptsLeft: 4 });
		expect(await leftFor({})).toEqual({ code: 'invalid_code', attemptsLeft: 0 });
	});

	it('has one attempt for a code that is bound to the address alone, which everybody can try', async () => {
		const fixture = aFixture();
		const { presentedKey } = await signInOn(fixture, ada);
		await guessedOften(fixture, ada);
		expect(await ask(fixture, ada, { presentedKey, codeKey: null })).toBeNull();
		const code = fixture.mailer.lastCodeTo(ada, 'sign_in_code') ?? '';
		expect(errorOf(await fixture.enterCode(ada, wrong(code)))).toMatchObject({ attemptsLeft: 0 });
	});
});

describe('an unknown client', () => {
	it('T02: is every client with a key that was never issued, or one of another account', async () => {
		const fixture = aFixture();
		await signInOn(fixture, ada);
		const eves = await signInOn(fixture, eve);
		fixture.clock.advance(window);
		expect(await sendsOf(fixture, ada)).toBe(5);
		for (const presentedKey of [eves.presentedKey, aProgram('q'), null]) {
			expect(await sendsOf(fixture, ada, { presentedKey })).toBe(0);
		}
	});

	it('T02: gets the same answer with and without an account, whatever key it presents', async () => {
		const fixture = aFixture();
		await signInOn(fixture, ada);
		const { presentedKey } = await signInOn(fixture, eve);
		fixture.clock.advance(window);
		for (const shown of [{}, { presentedKey }, { presentedKey: aProgram('q') }]) {
			const answers = [];
			for (const email of [ada, 'new@example.com']) {
				const given = [];
				for (let send = 0; send < 7; send += 1) given.push(await ask(fixture, email, shown));
				answers.push(given);
			}
			expect(answers[0]).toEqual(answers[1]);
			fixture.clock.advance(window);
		}
	});

	it('T02: looks the same number of keys up as a known device', async () => {
		const real = aFixture();
		let lookups = 0;
		const devices: Fixture['devices'] = {
			...real.devices,
			knownAccount: (hash, email) => {
				lookups += 1;
				return real.devices.knownAccount(hash, email);
			}
		};
		const secretHasher = plainSecretHasher('new', 'old');
		const fixture = aFixture({ ...real.stores, devices, secretHasher });
		const { presentedKey, user } = await signInOn(fixture, ada);
		for (const shown of [{}, { presentedKey }, { user }, { presentedKey: aProgram('q') }]) {
			for (const email of [ada, 'new@example.com']) {
				lookups = 0;
				await ask(fixture, email, shown);
				expect(lookups).toBe(2);
			}
		}
	});
});

describe('a program’s code', () => {
	it('T07: can be entered only with the key that requested it', async () => {
		const fixture = aFixture();
		const presentedKey = aProgram();
		await ask(fixture, ada, { presentedKey });
		const code = fixture.mailer.lastCodeTo(ada, 'sign_in_code') ?? '';
		for (const other of [null, aProgram('q')]) {
			expect(errorOf(await fixture.enterCode(ada, code, { presentedKey: other }))).toEqual({
				code: 'invalid_code',
				attemptsLeft: null
			});
		}
		expect((await fixture.enterCode(ada, code, { presentedKey })).ok).toBe(true);
	});

	it('T07: is neither replaced nor used up by clients without its key', async () => {
		const fixture = aFixture();
		const presentedKey = aProgram();
		await ask(fixture, ada, { presentedKey });
		const code = fixture.mailer.lastCodeTo(ada, 'sign_in_code') ?? '';
		await ask(fixture, ada);
		for (let guess = 0; guess < 9; guess += 1) await fixture.enterCode(ada, wrong(code));
		expect((await fixture.enterCode(ada, code, { presentedKey })).ok).toBe(true);
	});
});

describe('a stolen key', () => {
	/** An owner whose key a thief has, in another browser. */
	const stolen = async (policy: AuthPolicy = defaultPolicy) => {
		const fixture = aFixture({ policy });
		const { presentedKey } = await signInOn(fixture, ada);
		fixture.clock.advance(3600);
		return { fixture, presentedKey, thief: { presentedKey, codeKey: fixture.aCodeKey() } };
	};

	it('T03: never gains a session, the content of an email or another response', async () => {
		const { fixture, presentedKey, thief } = await stolen();
		const about = {
			email: ada,
			purpose: 'sign_in',
			source: aRequestSource(),
			network: aNetwork(),
			...thief
		} as const;
		const known = await fixture.requestCode(about);
		const unknown = await fixture.requestCode({ ...about, presentedKey: null });
		expect(known.ok && Object.keys(known.value).sort()).toEqual(['email', 'expiresAt']);
		expect(known).toEqual(unknown);
		expect(
			await fixture.readSession({ token: presentedKey.key as never, mayRefresh: true })
		).toBeNull();
		expect((await fixture.enterCode(ada, '123456', { presentedKey })).ok).toBe(false);
	});

	it('T03: gains five sends to the mailbox of its owner in 15 minutes, and none to another', async () => {
		const { fixture, thief } = await stolen();
		for (const email of [ada, eve]) expect(await sendsOf(fixture, email)).toBe(5);
		expect([await sendsOf(fixture, ada, thief), await sendsOf(fixture, eve, thief)]).toEqual([
			5, 0
		]);
		fixture.clock.advance(window - 1);
		expect(await sendsOf(fixture, ada, thief)).toBe(0);
	});

	it('T03: gains five attempts at the codes that it requests, 2,400 a day, and none at the owner’s', async () => {
		const { fixture, presentedKey, thief } = await stolen();
		const owner = { presentedKey, codeKey: fixture.aCodeKey() };
		await guessedOften(fixture, ada);
		expect(await ask(fixture, ada, owner)).toBeNull();
		const code = fixture.mailer.lastCodeTo(ada, 'sign_in_code') ?? '';
		const worthless = { code: 'invalid_code', attemptsLeft: null };
		expect(errorOf(await fixture.enterCode(ada, code, thief))).toEqual(worthless);

		expect(await ask(fixture, ada, thief)).toBeNull();
		const own = wrong(fixture.mailer.lastCodeTo(ada, 'sign_in_code') ?? '');
		const left = [];
		for (let guess = 0; guess < 5; guess += 1) {
			left.push(errorOf(await fixture.enterCode(ada, own, thief)));
		}
		expect(left).toEqual([4, 3, 2, 1, 0].map((n) => ({ code: 'invalid_code', attemptsLeft: n })));
		const { throttle, code: ofCode } = defaultPolicy;
		expect((day / throttle.window) * throttle.sends * ofCode.attempts).toBe(2400);
		expect((await fixture.enterCode(ada, code, owner)).ok).toBe(true);
	});
});

describe('the daily pruning', () => {
	it('forgets a device that was not used for 400 days', async () => {
		const fixture = aFixture();
		await signInOn(fixture, ada);
		fixture.clock.advance(defaultPolicy.devices.lifetime - 1);
		expect((await fixture.pruneExpired()).devices).toBe(0);
		fixture.clock.advance(1);
		expect((await fixture.pruneExpired()).devices).toBe(1);
	});
});

describe('the key of a program', () => {
	it.each([
		['21 characters', 'a'.repeat(21), false],
		['22 characters', 'a'.repeat(22), true],
		['86 characters', '-_Aa0'.repeat(17) + 'x', true],
		['87 characters', 'a'.repeat(87), false],
		['padding', `${'a'.repeat(43)}=`, false],
		['base64', `${'a'.repeat(42)}+/`, false],
		['two values', `${'a'.repeat(22)}, ${'a'.repeat(22)}`, false],
		['a line break', `${'a'.repeat(22)}\n`, false],
		['nothing', '', false]
	])('with %s', (_, text, isKey) => {
		expect(parseProgramKey(text) !== null).toBe(isKey);
	});
});
