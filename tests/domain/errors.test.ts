import { describe, expect, it } from 'vitest';
import { err, ok, StoreUnavailable, type DomainErrorCode } from '#lib/domain/index.ts';
import { aWorld, errorOf, wrong } from '../support/domain-world.ts';

const ada = 'ada@example.com';

/** One way to each code; a code without one does not compile. */
const ways: Record<DomainErrorCode, () => Promise<{ readonly code: string } | null>> = {
	invalid_email: async () => errorOf(await aWorld().requestCode({ email: 'ada', browser: null })),
	too_many_sends: async () => {
		const world = aWorld();
		for (let send = 0; send < 5; send += 1) await world.sendTo(ada);
		return errorOf(await world.requestCode({ email: ada, browser: null }));
	},
	delivery_failed: async () =>
		errorOf(await aWorld().requestCode({ email: 'bounces@example.test', browser: null })),
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
