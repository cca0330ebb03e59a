import { describe, expect, it } from 'vitest';
import { aWorld, errorOf } from '../../support/domain/world.ts';

const ada = 'ada@example.com';
const fresh = 'new@example.com';

describe('giving up a change of address', () => {
	it('voids its code and its link, and nothing waits any more', async () => {
		const world = aWorld();
		const signedIn = await world.signIn(ada);
		const code = await world.codeToMove(signedIn, fresh);
		const link = await world.linkToMove(signedIn, 'other@example.com');
		await world.cancelEmailChange(signedIn.user.id);
		expect(await world.readEmailChange(signedIn.user)).toBeNull();
		expect(await world.readChangeLink(signedIn.user, link)).toBeNull();
		expect(errorOf(await world.moveByCode(signedIn, fresh, code))).toEqual({
			code: 'invalid_code',
			attemptsLeft: null
		});
		expect(errorOf(await world.moveByLink(signedIn, link))).toEqual({ code: 'invalid_link' });
	});

	it('leaves sessions, sign-in codes and the changes of others alone', async () => {
		const world = aWorld();
		const adas = await world.signIn(ada);
		const bobs = await world.signIn('bob@example.com');
		await world.codeToMove(adas, fresh);
		const bobsCode = await world.codeToMove(bobs, fresh);
		const code = await world.sendTo(ada);
		await world.cancelEmailChange(adas.user.id);
		expect(await world.whoIs(adas.token)).toEqual(adas.user);
		expect((await world.guess(ada, code)).ok).toBe(true);
		expect(errorOf(await world.moveByCode(bobs, fresh, bobsCode))).toBeNull();
	});

	it('is no error where nothing waits, and one may ask again afterwards', async () => {
		const world = aWorld();
		const signedIn = await world.signIn(ada);
		await world.cancelEmailChange(signedIn.user.id);
		await world.cancelEmailChange(signedIn.user.id);
		expect((await world.move(signedIn, fresh)).user.email).toBe(fresh);
	});
});
