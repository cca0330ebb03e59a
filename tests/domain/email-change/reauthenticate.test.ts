import { describe, expect, it } from 'vitest';
import { defaultPolicy, type VerifiedCode } from '#lib/domain/index.ts';
import { aDevice } from '../../support/domain/builders.ts';
import { aWorld, errorOf, wrong, type World } from '../../support/domain/world.ts';

const ada = 'ada@example.com';
const fresh = 'new@example.com';
const both = ['code', 'link'] as const;
const { freshFor } = defaultPolicy.emailChange;

/** Ada, whose sign-in was long enough ago. */
const stale = async (): Promise<{ world: World; signedIn: VerifiedCode }> => {
	const world = aWorld({ reauthentication: true });
	const signedIn = await world.signIn(ada);
	await world.background.flush();
	world.clock.advance(freshFor);
	return { world, signedIn };
};

const mailsTo = (world: World, address: string): readonly string[] =>
	world.mailer.mails.filter((mail) => mail.to === address).map((mail) => mail.kind);

describe('a change of address requested by a session that is not fresh', () => {
	it.each(both)(
		'by %s, first emails a code to the current address that names the new one',
		async (way) => {
			const { world, signedIn } = await stale();
			expect(errorOf(await world.askToMove(signedIn, ' New@Example.com', way))).toEqual({
				code: 'session_not_fresh'
			});
			expect(world.mailer.mails.at(-1)).toEqual({
				kind: 'reauthentication_code',
				to: ada,
				newEmail: fresh,
				code: expect.stringMatching(/^\d{6}$/),
				lifetime: 600,
				at: world.clock.now(),
				device: aDevice()
			});
			expect(mailsTo(world, fresh)).toEqual([]);
			expect(await world.readEmailChange(signedIn.user)).toBeNull();
		}
	);

	it.each(both)('by %s, proceeds with that code, once', async (way) => {
		const { world, signedIn } = await stale();
		const code = await world.reauthenticationCode(signedIn, fresh, way);
		expect(await world.askToMove(signedIn, fresh, way, code)).toMatchObject({ ok: true });
		expect(mailsTo(world, fresh)).toEqual([`email_change_${way}`]);
		expect(errorOf(await world.askToMove(signedIn, fresh, way, code))?.code).toBe('invalid_code');
	});

	it('counts nothing towards the new address before the right code came', async () => {
		const { world, signedIn } = await stale();
		const code = await world.reauthenticationCode(signedIn, fresh);
		const refused = await world.askToMove(signedIn, fresh, 'code', wrong(code));
		expect(errorOf(refused)).toEqual({ code: 'invalid_code', attemptsLeft: 4 });
		expect(mailsTo(world, fresh)).toEqual([]);
		for (let send = 0; send < 5; send += 1) await world.sendTo(fresh);
	});

	it('the code is good for its new address only, and stays good for it', async () => {
		const { world, signedIn } = await stale();
		const code = await world.reauthenticationCode(signedIn, fresh);
		const elsewhere = await world.askToMove(signedIn, 'other@example.com', 'code', code);
		expect(errorOf(elsewhere)?.code).toBe('invalid_code');
		expect((await world.askToMove(signedIn, fresh, 'code', code)).ok).toBe(true);
	});

	it('the code is good for the session that got it only', async () => {
		const { world, signedIn } = await stale();
		const other = await world.signIn(ada);
		world.clock.advance(freshFor);
		const code = await world.reauthenticationCode(signedIn, fresh);
		const refused = await world.askToMove(other, fresh, 'code', code);
		expect(errorOf(refused)).toEqual({ code: 'invalid_code', attemptsLeft: null });
		expect((await world.askToMove(signedIn, fresh, 'code', code)).ok).toBe(true);
	});

	it('A10: neither a sign-in code nor a verification code passes, and both stay good', async () => {
		const { world, signedIn } = await stale();
		const browser = world.aBrowser();
		for (const purpose of ['sign_in', 'email_verification'] as const) {
			const code = await world.sendTo(ada, browser, purpose);
			const refused = await world.askToMove(signedIn, fresh, 'code', code);
			expect(errorOf(refused)).toEqual({ code: 'invalid_code', attemptsLeft: null });
			const checked = await world.checkCode({ email: ada, purpose, code, browser });
			expect(checked.ok).toBe(true);
		}
	});

	it('A10: the code signs nobody in', async () => {
		const { world, signedIn } = await stale();
		const code = await world.reauthenticationCode(signedIn, fresh);
		expect(errorOf(await world.guess(ada, code))).toEqual({
			code: 'invalid_code',
			attemptsLeft: null
		});
	});

	it('R06: the code is void once its session has ended', async () => {
		const { world, signedIn } = await stale();
		const code = await world.reauthenticationCode(signedIn, fresh);
		await world.endSession(signedIn.token);
		const refused = await world.askToMove(signedIn, fresh, 'code', code);
		expect(errorOf(refused)).toEqual({ code: 'invalid_code', attemptsLeft: null });
	});

	it('the code counts in the sends of the current address', async () => {
		const { world, signedIn } = await stale();
		for (let send = 0; send < 5; send += 1) await world.sendTo(ada);
		expect(errorOf(await world.askToMove(signedIn, fresh))?.code).toBe('too_many_sends');
	});

	it('a code that cannot be handed over is said so, given back, and the earlier one stays good', async () => {
		const { world, signedIn } = await stale();
		const code = await world.reauthenticationCode(signedIn, fresh);
		world.mailer.meet('refused');
		for (let send = 0; send < 6; send += 1) {
			const refused = await world.askToMove(signedIn, fresh);
			expect(errorOf(refused)?.code).toBe('delivery_failed');
		}
		world.mailer.meet('sent');
		expect((await world.askToMove(signedIn, fresh, 'code', code)).ok).toBe(true);
	});

	it('a code whose email is of unknown fate works when it arrives', async () => {
		const { world, signedIn } = await stale();
		world.mailer.meet('unknown');
		const asked = await world.askToMove(signedIn, fresh);
		expect(errorOf(asked)?.code).toBe('session_not_fresh');
		const arrived = world.mailer.lastCodeTo(ada, 'reauthentication_code');
		expect((await world.askToMove(signedIn, fresh, 'code', arrived)).ok).toBe(true);
	});

	it('what is wrong with the new address is said before anything is sent', async () => {
		const { world, signedIn } = await stale();
		const sent = world.mailer.mails.length;
		expect(errorOf(await world.askToMove(signedIn, 'new'))?.code).toBe('invalid_email');
		expect(errorOf(await world.askToMove(signedIn, ada))?.code).toBe('same_email');
		expect(world.mailer.mails).toHaveLength(sent);
	});
});

describe('a session is fresh', () => {
	it(`until ${freshFor} seconds after its sign-in`, async () => {
		const world = aWorld({ reauthentication: true });
		const signedIn = await world.signIn(ada);
		world.clock.advance(freshFor - 1);
		expect((await world.askToMove(signedIn, fresh)).ok).toBe(true);
		world.clock.advance(1);
		expect(errorOf(await world.askToMove(signedIn, fresh))?.code).toBe('session_not_fresh');
	});

	it('never by a refresh', async () => {
		const world = aWorld({ reauthentication: true });
		const { token } = await world.signIn(ada);
		world.clock.advance(defaultPolicy.session.refreshAfter);
		const refreshed = await world.readSession({ token, mayRefresh: true });
		expect(refreshed?.refreshed).toBe(true);
		if (refreshed === null) throw new Error('the session is gone');
		expect(errorOf(await world.askToMove(refreshed, fresh))?.code).toBe('session_not_fresh');
	});

	it('whatever its age where an installation asks for no code', async () => {
		const world = aWorld({ reauthentication: false });
		const signedIn = await world.signIn(ada);
		world.clock.advance(freshFor * 100);
		expect((await world.askToMove(signedIn, fresh)).ok).toBe(true);
	});
});
