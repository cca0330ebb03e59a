import { describe, expect, it } from 'vitest';
import { aSignedIn } from '../../support/domain/fixture.ts';

describe('ending a session', () => {
	it('takes effect immediately, for this session only', async () => {
		const { fixture, signedIn: here } = await aSignedIn('ada@example.com');
		const there = await fixture.signIn('ada@example.com');
		await fixture.endSession(here.token);
		expect(await fixture.readSession({ token: here.token, mayRefresh: true })).toBeNull();
		expect(await fixture.readSession({ token: there.token, mayRefresh: true })).not.toBeNull();
	});
});
