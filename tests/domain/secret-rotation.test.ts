import { describe, expect, it } from 'vitest';
import { plainCodeHasher, plainSecretHasher } from '#lib/adapters/memory/plain-hashers.ts';
import { aWorld, type World } from '../support/domain-world.ts';

/** The same stores after a restart with other keys, the current one first. */
const restarted = (before: World, ...keys: readonly string[]): World => {
	const { challenges, signIns, sessions, throttle, ids, random } = before;
	const codeHasher = plainCodeHasher(...keys);
	const secretHasher = plainSecretHasher(...keys);
	const deps = { challenges, signIns, sessions, throttle, ids, random };
	return aWorld({ deps: { ...deps, codeHasher, secretHasher } });
};
const startWith = (key: string): World => restarted(aWorld(), key);

const read = (world: World, { token }: { token: Parameters<World['endSession']>[0] }) =>
	world.readSession({ token, mayRefresh: true });

describe('rotating the secret', () => {
	it('N02: a session opened before it lives on while the old secret is listed, and ends with it', async () => {
		const before = startWith('old');
		const opened = await before.signIn('ada@example.com');
		expect(await read(restarted(before, 'new', 'old'), opened)).toMatchObject({
			user: opened.user
		});
		expect(await read(restarted(before, 'new'), opened)).toBeNull();
	});

	it('N02: a session opened during it is made under the new secret and needs no other', async () => {
		const before = startWith('old');
		const during = restarted(before, 'new', 'old');
		const opened = await during.signIn('ada@example.com');
		expect(await read(restarted(before, 'new'), opened)).not.toBeNull();
		expect(await read(restarted(before, 'old'), opened)).toBeNull();
	});

	it('N02: a code asked for before it works during it, bound to a browser or not', async () => {
		for (const bound of [true, false]) {
			const before = startWith('old');
			const browser = bound ? before.aBrowser() : null;
			const code = await before.sendTo('ada@example.com', browser);
			const during = restarted(before, 'new', 'old');
			expect(await during.guess('ada@example.com', code, { browser })).toMatchObject({ ok: true });
		}
	});

	it('N02: an old session is ended by signing out and by signing in anew', async () => {
		const before = startWith('old');
		const during = restarted(before, 'new', 'old');

		const first = await before.signIn('ada@example.com');
		await during.endSession(first.token);
		expect(await read(during, first)).toBeNull();

		const second = await before.signIn('ada@example.com');
		await during.signIn('ada@example.com', second.token);
		expect(await read(during, second)).toBeNull();
	});
});
