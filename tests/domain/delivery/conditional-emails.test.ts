import { describe, expect, it } from 'vitest';
import type { Outbox } from '#lib/domain/index.ts';
import { aWorld, type World } from '../../support/domain/world.ts';

const ada = 'ada@example.com';
const full: Outbox = { post: async () => 'busy', postIf: async () => 'no_room' };

/** Every request that sends an email on a condition, to `address`. */
const requests: Readonly<
	Record<string, (world: World, address: string, mover: string) => Promise<boolean>>
> = {
	'a code that proves an address again': async (world, address) =>
		(await world.ask(address, null, 'email_verification')).ok,
	'a sign-in code while sign-up is closed': async (world, address) => (await world.ask(address)).ok,
	'an email change by code': async (world, address, mover) => {
		const signedIn = await world.signIn(mover);
		return (await world.askToMove(signedIn, address, 'code')).ok;
	},
	'an email change by link': async (world, address, mover) => {
		const signedIn = await world.signIn(mover);
		return (await world.askToMove(signedIn, address, 'link')).ok;
	}
};

describe('an email that is dropped because the queue is full', () => {
	it.each(
		Object.keys(requests).flatMap((request) => [
			{ request, whose: 'of an account', address: ada },
			{ request, whose: 'without an account', address: 'nobody@example.com' }
		])
	)('gives its send back: $request, to an address $whose', async ({ request, address }) => {
		const open = aWorld();
		await open.signIn(ada);
		const isSignIn = request.startsWith('a sign-in code');
		const world = aWorld({
			signUp: isSignIn ? 'closed' : 'open',
			deps: { ...open.stores, outbox: full, ids: open.ids, random: open.random }
		});
		for (let send = 0; send < 7; send += 1) {
			expect(await requests[request]?.(world, address, `mover${send}@example.com`)).toBe(true);
			await world.background.flush();
			world.clock.advance(1);
		}
	});
});
