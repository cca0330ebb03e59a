import { describe, expect, it } from 'vitest';
import { parseSessionToken } from '#lib/domain/secret.ts';
import { aFixture, aSignedIn } from '../../support/domain/fixture.ts';

const day = 24 * 3600;
const ada = 'ada@example.com';

describe('reading a session', () => {
	it('E04: is null for a token that was never issued, one changed bit included', async () => {
		const { fixture, token } = await aSignedIn(ada);
		const others = [...token].map(
			(character, at) =>
				`${token.slice(0, at)}${character === 'x' ? 'y' : 'x'}${token.slice(at + 1)}`
		);
		for (const other of others) {
			const parsed = parseSessionToken(other);
			if (parsed === null) continue;
			expect(await fixture.readSession({ token: parsed, mayRefresh: true })).toBeNull();
		}
	});

	it('E10: a read that loses the race for a refresh still gets the session', async () => {
		const real = aFixture();
		const { fixture, token, session } = await aSignedIn(ada, {
			...({
				sessions: { ...real.sessions, refresh: async () => null },
				signIns: real.signIns,
				challenges: real.challenges
			} as object)
		});
		fixture.clock.advance(day);
		expect(await fixture.readSession({ token, mayRefresh: true })).toMatchObject({
			refreshed: false,
			session
		});
	});
});
