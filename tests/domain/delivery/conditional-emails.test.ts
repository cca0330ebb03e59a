import { describe, expect, it } from 'vitest';
import type { Outbox } from '#lib/domain/index.ts';
import { aFixture, type Fixture } from '../../support/domain/fixture.ts';

const ada = 'ada@example.com';
const full: Outbox = { post: async () => 'busy', postIf: async () => 'no_room' };

/** Every request that sends an email on a condition, to `address`. */
const requests: Readonly<
	Record<string, (fixture: Fixture, address: string, mover: string) => Promise<boolean>>
> = {
	'a code that proves an address again': async (fixture, address) =>
		(await fixture.request(address, null, 'email_verification')).ok,
	'a sign-in code while sign-up is closed': async (fixture, address) =>
		(await fixture.request(address)).ok,
	'an email change by code': async (fixture, address, mover) => {
		const signedIn = await fixture.signIn(mover);
		return (await fixture.askToMove(signedIn, address, 'code')).ok;
	},
	'an email change by link': async (fixture, address, mover) => {
		const signedIn = await fixture.signIn(mover);
		return (await fixture.askToMove(signedIn, address, 'link')).ok;
	}
};

describe('an email that is dropped because the queue is full', () => {
	it.each(
		Object.keys(requests).flatMap((request) => [
			{ request, whose: 'of an account', address: ada },
			{ request, whose: 'without an account', address: 'nobody@example.com' }
		])
	)('gives its send back: $request, to an address $whose', async ({ request, address }) => {
		const open = aFixture();
		await open.signIn(ada);
		const isSignIn = request.startsWith('a sign-in code');
		const fixture = aFixture({
			signUp: isSignIn ? 'closed' : 'open',
			deps: { ...open.stores, outbox: full, ids: open.ids, random: open.random }
		});
		for (let send = 0; send < 7; send += 1) {
			expect(await requests[request]?.(fixture, address, `mover${send}@example.com`)).toBe(true);
			await fixture.background.flush();
			fixture.clock.advance(1);
		}
	});
});
