import { describe, expect, it } from 'vitest';
import { defaultPolicy } from '#lib/domain/index.ts';
import { aWorld, wrong } from '../../support/domain/world.ts';

const day = 24 * 3600;
const nothing = { throttleRows: 0, codes: 0, sessions: 0 };

describe('pruning', () => {
	it('finds nothing in an empty house', async () => {
		expect(await aWorld().pruneThrottle()).toEqual(nothing);
	});

	it('B15: takes nothing that still counts', async () => {
		const world = aWorld();
		const { token } = await world.signIn('ada@example.com');
		for (let send = 0; send < 4; send += 1) await world.sendTo('ada@example.com');
		const code = await world.sendTo('bob@example.com');
		world.clock.advance(599);
		expect(await world.pruneThrottle()).toEqual(nothing);
		const asked = await world.ask('ada@example.com');
		expect(asked.ok).toBe(false);
		expect((await world.guess('bob@example.com', code)).ok).toBe(true);
		expect(await world.readSession({ token, mayRefresh: false })).not.toBeNull();
	});

	it('takes codes after their life, throttle rows after the window, sessions after theirs', async () => {
		const world = aWorld();
		await world.signIn('ada@example.com');
		await world.sendTo('bob@example.com');
		world.clock.advance(600);
		expect(await world.pruneThrottle()).toEqual({ ...nothing, codes: 1 });
		world.clock.advance(300);
		expect(await world.pruneThrottle()).toEqual({ ...nothing, throttleRows: 2 });
		world.clock.advance(60 * day - 900);
		expect(await world.pruneThrottle()).toEqual({ ...nothing, sessions: 1 });
	});

	it('A06: keeps a row of failures for as long as it is remembered', async () => {
		const world = aWorld();
		await world.guess('ada@example.com', wrong(await world.sendTo('ada@example.com')));
		world.clock.advance(defaultPolicy.guessing.memory - 1);
		expect((await world.pruneThrottle()).throttleRows).toBe(0);
		world.clock.advance(1);
		expect((await world.pruneThrottle()).throttleRows).toBe(1);
	});

	it('works in batches and takes everything all the same', async () => {
		const world = aWorld({
			policy: { ...defaultPolicy, prune: { ...defaultPolicy.prune, batch: 3 } }
		});
		for (let number = 0; number < 9; number += 1) await world.signIn(`user${number}@example.com`);
		for (let number = 0; number < 10; number += 1) await world.sendTo(`other${number}@example.com`);
		world.clock.advance(61 * day);
		expect(await world.pruneThrottle()).toEqual({ throttleRows: 19, codes: 10, sessions: 9 });
		expect(await world.pruneThrottle()).toEqual(nothing);
	});

	it('asks for no more than a batch at a time', async () => {
		const limits: number[] = [];
		const real = aWorld();
		const world = aWorld({
			deps: {
				challenges: {
					...real.challenges,
					prune: async (_now, limit) => {
						limits.push(limit);
						return limits.length < 3 ? limit : 0;
					}
				}
			}
		});
		const { batch } = defaultPolicy.prune;
		expect((await world.pruneThrottle()).codes).toBe(2 * batch);
		expect(limits).toEqual([batch, batch, batch]);
	});

	it('rests after every batch, before the next one', async () => {
		const order: string[] = [];
		const real = aWorld();
		let left = 7;
		const world = aWorld({
			policy: { ...defaultPolicy, prune: { ...defaultPolicy.prune, batch: 3 } },
			deps: {
				background: {
					...real.background,
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
			}
		});
		await world.pruneThrottle();
		const [throttle, codes, ...sessions] = order;
		expect([throttle, codes]).toEqual(['rest', 'rest']);
		expect(sessions).toEqual(['3 sessions', 'rest', '3 sessions', 'rest', '1 sessions', 'rest']);
	});
});
