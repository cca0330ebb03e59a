import { describe, expect, it } from 'vitest';
import {
	err,
	newLinkToken,
	newRestoreToken,
	ok,
	StoreUnavailable,
	type DomainErrorCode
} from '#lib/domain/index.ts';
import { aDevice } from '../support/domain/builders.ts';
import { aWorld, errorOf, wrong } from '../support/domain/world.ts';

const ada = 'ada@example.com';

/** One way to each code; a code without one does not compile. */
const ways: Record<DomainErrorCode, () => Promise<{ readonly code: string } | null>> = {
	invalid_email: async () => errorOf(await aWorld().ask('ada')),
	too_many_sends: async () => {
		const world = aWorld();
		for (let send = 0; send < 5; send += 1) await world.sendTo(ada);
		return errorOf(await world.ask(ada));
	},
	delivery_failed: async () => errorOf(await aWorld().ask('bounces@example.test')),
	mail_busy: async () => errorOf(await aWorld().ask('busy@example.test')),
	invalid_code: async () => errorOf(await aWorld().guess(ada, '123456')),
	expired_code: async () => {
		const world = aWorld();
		const code = await world.sendTo(ada);
		world.clock.advance(600);
		return errorOf(await world.guess(ada, code));
	},
	too_many_attempts: async () => {
		const world = aWorld();
		const code = await world.sendTo(ada);
		for (let time = 0; time < 5; time += 1) await world.guess(ada, wrong(code));
		return errorOf(await world.guess(ada, code));
	},
	same_email: async () => {
		const world = aWorld();
		return errorOf(await world.askToMove(await world.signIn(ada), ada));
	},
	email_taken: async () => {
		const world = aWorld();
		const signedIn = await world.signIn(ada);
		const code = await world.codeToMove(signedIn, 'new@example.com');
		await world.signIn('new@example.com');
		return errorOf(await world.moveByCode(signedIn, 'new@example.com', code));
	},
	invalid_link: async () => {
		const world = aWorld();
		const link = newLinkToken(world.random);
		return errorOf(await world.moveByLink(await world.signIn(ada), link));
	},
	session_not_fresh: async () => {
		const world = aWorld({ reauthentication: true });
		const signedIn = await world.signIn(ada);
		world.clock.advance(15 * 60);
		return errorOf(await world.askToMove(signedIn, 'new@example.com'));
	},
	links_off: async () => {
		const world = aWorld({ changeLinks: false });
		return errorOf(await world.askToMove(await world.signIn(ada), 'new@example.com', 'link'));
	},
	account_deleted: async () => {
		const world = aWorld();
		await world.remove(await world.signIn(ada));
		return errorOf(await world.guess(ada, await world.sendTo(ada)));
	},
	invalid_restore_grant: async () => {
		const world = aWorld();
		const restoreToken = newRestoreToken(world.random);
		return errorOf(await world.restoreAccount({ restoreToken, device: aDevice() }));
	}
};

describe('errors', () => {
	it.each(Object.entries(ways))('%s can happen', async (code, way) => {
		expect((await way())?.code).toBe(code);
	});

	it('a store that is unavailable says what it was asked, as its own kind of error', () => {
		const fault = new StoreUnavailable('read only');
		expect(fault).toBeInstanceOf(Error);
		expect([fault.name, fault.reason, fault.message]).toEqual([
			'StoreUnavailable',
			'read only',
			'store unavailable (read only)'
		]);
	});
});

describe('a result', () => {
	it('is either a value or an error', () => {
		expect([ok(1), err('no')]).toEqual([
			{ ok: true, value: 1 },
			{ ok: false, error: 'no' }
		]);
	});
});
