import { describe, expect, it } from 'vitest';
import {
	aRequestSource,
	anEmail,
	aNetwork,
	secondsFromStart
} from '../../support/domain/builders.ts';
import { aSignedIn, errorOf, valueOf, wrong } from '../../support/domain/fixture.ts';

const ada = 'ada@example.com';
const bob = 'bob@example.com';
const fresh = 'new@example.com';
const notACode = { code: 'invalid_code', attemptsLeft: null };

describe('moving to another address by code', () => {
	it('gives the account the new address and keeps everything else', async () => {
		const { fixture, signedIn } = await aSignedIn(ada);
		const code = await fixture.codeToMove(signedIn, fresh);
		fixture.clock.advance(60);
		const { user } = valueOf(await fixture.moveByCode(signedIn, fresh, code));
		expect(user).toEqual({ ...signedIn.user, email: fresh, updatedAt: secondsFromStart(60) });
		expect(await fixture.whoIs(signedIn.token)).toEqual(user);
		expect(await fixture.accounts.find(anEmail(ada))).toBeNull();
		expect((await fixture.signIn(fresh)).user.id).toBe(user.id);
	});

	it('K11: notifies the old address once, with where it was confirmed, and not before', async () => {
		const { fixture, signedIn } = await aSignedIn(ada);
		const { user, session } = signedIn;
		const code = await fixture.codeToMove(signedIn, fresh);
		await fixture.moveByCode({ user, session }, fresh, wrong(code));
		expect(fixture.notices).toEqual([]);
		fixture.clock.advance(60);
		const source = aRequestSource({ ipAddress: '192.0.2.9' });
		const network = aNetwork();
		const confirmed = { user, session: session.id, source, network };
		await fixture.changeEmailByCode({ ...confirmed, newEmail: fresh, code });
		await fixture.background.flush();
		await fixture.moveByCode({ user, session }, fresh, code);
		expect(fixture.notices).toEqual([
			{ stage: 'completed', from: ada, to: fresh, at: secondsFromStart(60), source }
		]);
	});

	it('K12: does not work in the session of another account, and loses no attempt there', async () => {
		const { fixture, signedIn: adas } = await aSignedIn(ada);
		const bobs = await fixture.signIn(bob);
		const code = await fixture.codeToMove(adas, fresh);
		for (let time = 0; time < 10; time += 1) {
			expect(errorOf(await fixture.moveByCode(bobs, fresh, code))).toEqual(notACode);
		}
		expect(await fixture.whoIs(bobs.token)).toEqual(bobs.user);
		expect(errorOf(await fixture.moveByCode(adas, fresh, code))).toBeNull();
	});

	it('K12: is only a wrong code if the other account has requested the same address', async () => {
		const { fixture, signedIn: adas } = await aSignedIn(ada);
		const bobs = await fixture.signIn(bob);
		const code = await fixture.codeToMove(adas, fresh);
		await fixture.codeToMove(bobs, fresh);
		expect(errorOf(await fixture.moveByCode(bobs, fresh, code))).toEqual({
			code: 'invalid_code',
			attemptsLeft: 4
		});
		expect(errorOf(await fixture.moveByCode(adas, fresh, code))).toBeNull();
	});

	it('K12/K06: does not work for another address than it was emailed to', async () => {
		const { fixture, signedIn } = await aSignedIn(ada);
		const code = await fixture.codeToMove(signedIn, fresh);
		for (let time = 0; time < 10; time += 1) {
			expect(errorOf(await fixture.moveByCode(signedIn, 'other@example.com', code))).toEqual(
				notACode
			);
		}
		expect(errorOf(await fixture.moveByCode(signedIn, fresh, code))).toBeNull();
	});

	it('K09: a change requested under an earlier address is invalid, whatever address the caller passes', async () => {
		const { fixture, signedIn } = await aSignedIn(ada);
		const moved = await fixture.move(signedIn, 'other@example.com');
		const code = await fixture.codeToMove(moved, fresh);
		// A session with the earlier address cannot match it.
		expect((await fixture.moveByCode(signedIn, fresh, code)).ok).toBe(false);
		expect((await fixture.whoIs(signedIn.token))?.email).toBe('other@example.com');
		expect(errorOf(await fixture.moveByCode(moved, fresh, code))).toBeNull();
	});

	it('K13: until it is confirmed the old address signs in, and the new one creates a new account (GHSA-fmh4-wcc4-5jm3)', async () => {
		const { fixture, signedIn } = await aSignedIn(ada);
		const { user } = signedIn;
		await fixture.codeToMove(signedIn, fresh);
		expect((await fixture.signIn(ada)).user.id).toBe(user.id);
		expect((await fixture.signIn(fresh)).user.id).not.toBe(user.id);
	});
});
