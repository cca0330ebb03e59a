import { describe, expect, it } from 'vitest';
import { secondsFromStart } from '../../support/domain/builders.ts';
import { aWorld, wrong } from '../../support/domain/world.ts';

const ada = 'ada@example.com';

describe('the code a browser waits for', () => {
	it('is none before it asked', async () => {
		const world = aWorld();
		await world.sendTo(ada);
		await world.sendTo(ada, world.aBrowser());
		expect(await world.readPendingCode(world.aBrowser())).toBeNull();
	});

	it('tells the address, the time and the attempts that are left', async () => {
		const world = aWorld();
		const browser = world.aBrowser();
		const code = await world.sendTo(ada, browser);
		await world.guess(ada, wrong(code), { browser });
		expect(await world.readPendingCode(browser)).toEqual({
			email: ada,
			state: 'open',
			attemptsLeft: 4,
			attempts: 5,
			expiresAt: secondsFromStart(600),
			resendAt: secondsFromStart(30)
		});
	});

	it('is exhausted as soon as no attempt is left, and expired after its time', async () => {
		const world = aWorld();
		const browser = world.aBrowser();
		const code = await world.sendTo(ada, browser);
		for (let time = 0; time < 5; time += 1) await world.guess(ada, wrong(code), { browser });
		expect(await world.readPendingCode(browser)).toMatchObject({
			state: 'exhausted',
			attemptsLeft: 0,
			attempts: 5
		});
		world.clock.advance(600);
		expect((await world.readPendingCode(browser))?.state).toBe('expired');
	});

	it('is the one requested last, and none once it was used', async () => {
		const world = aWorld();
		const browser = world.aBrowser();
		await world.sendTo(ada, browser);
		world.clock.advance(60);
		const code = await world.sendTo('bob@example.com', browser);
		expect((await world.readPendingCode(browser))?.email).toBe('bob@example.com');
		expect((await world.guess('bob@example.com', code, { browser })).ok).toBe(true);
		expect(await world.readPendingCode(browser)).toBeNull();
	});
});
