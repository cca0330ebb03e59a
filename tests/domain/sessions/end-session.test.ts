import { describe, expect, it } from 'vitest';
import type { SessionToken } from '#lib/domain/index.ts';
import { aWorld } from '../../support/domain/world.ts';

describe('ending a session', () => {
	it('works at once, for this session only', async () => {
		const world = aWorld();
		const here = await world.signIn('ada@example.com');
		const there = await world.signIn('ada@example.com');
		await world.endSession(here.token);
		expect(await world.readSession({ token: here.token, mayRefresh: true })).toBeNull();
		expect(await world.readSession({ token: there.token, mayRefresh: true })).not.toBeNull();
	});

	it('returns the id of the session it ended, and null for one that is gone or never was', async () => {
		const world = aWorld();
		const { token, session } = await world.signIn('ada@example.com');
		const other = await world.signIn('ada@example.com');
		expect(await world.endSession(token)).toBe(session.id);
		expect(await world.endSession(token)).toBeNull();
		expect(await world.endSession('A'.repeat(43) as SessionToken)).toBeNull();
		expect(await world.whoIs(other.token)).toEqual(other.user);
	});
});
