import { describe, expect, it } from 'vitest';
import type { SessionToken } from '#lib/domain/secret.ts';
import { aFixture } from '../../support/domain/fixture.ts';

describe('ending a session', () => {
	it('takes effect immediately, for this session only', async () => {
		const fixture = aFixture();
		const here = await fixture.signIn('ada@example.com');
		const there = await fixture.signIn('ada@example.com');
		await fixture.endSession(here.token);
		expect(await fixture.readSession({ token: here.token, mayRefresh: true })).toBeNull();
		expect(await fixture.readSession({ token: there.token, mayRefresh: true })).not.toBeNull();
	});

	it('returns the id of the session it ended, and null for a missing one', async () => {
		const fixture = aFixture();
		const { token, session } = await fixture.signIn('ada@example.com');
		const other = await fixture.signIn('ada@example.com');
		expect(await fixture.endSession(token)).toBe(session.id);
		expect(await fixture.endSession(token)).toBeNull();
		expect(await fixture.endSession('A'.repeat(43) as SessionToken)).toBeNull();
		expect(await fixture.whoIs(other.token)).toEqual(other.user);
	});
});
