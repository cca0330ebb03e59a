import { describe, expect, it } from 'vitest';
import { defaultPolicy } from '#lib/domain/policy.ts';
import { aFixture, aSignedIn } from '../support/domain/fixture.ts';

const day = 24 * 3600;
const nothing = {
	throttleRows: 0,
	codes: 0,
	sessions: 0,
	devices: 0,
	counts: 0,
	proofs: 0,
	events: 0,
	failedEmails: 0,
	oidcRecords: 0,
	emailUndos: 0
};

describe('pruning', () => {
	it('B15: keeps everything that still counts', async () => {
		const { fixture, token } = await aSignedIn('ada@example.com');
		for (let send = 0; send < 4; send += 1) await fixture.sendTo('ada@example.com');
		const code = await fixture.sendTo('bob@example.com');
		fixture.clock.advance(299);
		expect(await fixture.pruneExpired()).toEqual(nothing);
		fixture.clock.advance(300);
		expect(await fixture.pruneExpired()).toEqual(nothing);
		const requested = await fixture.request('ada@example.com');
		expect(requested.ok).toBe(false);
		expect((await fixture.enterCode('bob@example.com', code)).ok).toBe(true);
		expect(await fixture.readSession({ token, mayRefresh: false })).not.toBeNull();
	});

	it('removes codes after their lifetime, throttle rows after the window, sessions after theirs', async () => {
		const fixture = aFixture();
		await fixture.signIn('ada@example.com');
		await fixture.sendTo('bob@example.com');
		fixture.clock.advance(600);
		expect(await fixture.pruneExpired()).toEqual({ ...nothing, codes: 1 });
		fixture.clock.advance(300);
		expect(await fixture.pruneExpired()).toEqual({ ...nothing, throttleRows: 2 });
		fixture.clock.advance(60 * day - 900);
		expect(await fixture.pruneExpired()).toEqual({ ...nothing, sessions: 1 });
	});

	it('a table that fails does not keep the later ones, and the failure is reported', async () => {
		const broken = new Error('the table is locked');
		const fixture = aFixture({
			throttle: { ...aFixture().stores.throttle, prune: () => Promise.reject(broken) }
		});
		await fixture.signIn('ada@example.com');
		fixture.clock.advance(60 * day);
		await expect(fixture.pruneExpired()).rejects.toBe(broken);
		expect(await fixture.stores.sessions.prune(fixture.clock.now(), 10)).toBe(0);
	});

	it('removes everything in batches, and yields after each of them', async () => {
		const order: string[] = [];
		const real = aFixture();
		let left = 7;
		const fixture = aFixture({
			policy: { ...defaultPolicy, prune: { ...defaultPolicy.prune, batch: 3 } },
			pacer: {
				paced: async (piece) => {
					const given = await piece();
					order.push('rest');
					return given;
				}
			},
			sessions: {
				...real.stores.sessions,
				prune: async (_now, limit) => {
					const removed = Math.min(left, limit);
					left -= removed;
					order.push(`${removed} sessions`);
					return removed;
				}
			}
		});
		expect((await fixture.pruneExpired()).sessions).toBe(7);
		const [throttle, codes, ...sessions] = order;
		const others = sessions.splice(-7);
		expect([throttle, codes, ...others]).toEqual(Array(9).fill('rest'));
		const batches = sessions.filter((step) => step !== 'rest');
		expect(batches).toEqual(['3 sessions', '3 sessions', '1 sessions', '0 sessions']);
		expect(sessions).toEqual(batches.flatMap((batch) => [batch, 'rest']));
	});
});
