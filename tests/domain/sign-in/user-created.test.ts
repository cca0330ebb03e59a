import { describe, expect, it } from 'vitest';
import { aUser } from '../../support/domain/builders.ts';
import { aWorld } from '../../support/domain/world.ts';

const ada = 'ada@example.com';

describe('what follows the creation of an account', () => {
	it('is one welcome mail, at the first sign-in only', async () => {
		const world = aWorld();
		for (let time = 0; time < 3; time += 1) await world.signIn(ada);
		await world.background.flush();
		expect(world.mailer.mails.filter((mail) => mail.kind === 'welcome')).toEqual([
			{ kind: 'welcome', to: ada }
		]);
		expect(world.background.failures).toEqual([]);
	});

	it.each(['refused', 'unknown'] as const)(
		'a welcome that is %s does not fail the sign-in, is logged and not tried again',
		async (delivery) => {
			const world = aWorld();
			const code = await world.sendTo(ada);
			world.mailer.meet(delivery);
			expect((await world.guess(ada, code)).ok).toBe(true);
			await world.background.flush();
			expect(world.background.failures).toEqual([
				{ name: 'welcome mail', error: new Error(`delivery ${delivery}`) }
			]);
			world.mailer.meet('sent');
			await world.signIn(ada);
			await world.background.flush();
			const welcomes = world.mailer.mails.filter((mail) => mail.kind === 'welcome');
			expect(welcomes).toHaveLength(delivery === 'refused' ? 0 : 1);
		}
	);

	it('a mailer that breaks, or never answers, does not hold the sign-in up', async () => {
		for (const send of [
			() => Promise.reject(new Error('bug')),
			() => new Promise<never>(() => {})
		]) {
			let welcome = false;
			const world = aWorld();
			const wired = aWorld({
				deps: {
					mailer: {
						send: (mail) => {
							if (mail.kind !== 'welcome') return world.mailer.send(mail);
							welcome = true;
							return send();
						}
					}
				}
			});
			await wired.ask(ada);
			expect((await wired.guess(ada, world.mailer.lastCodeTo(ada) ?? '')).ok).toBe(true);
			await Promise.resolve();
			expect(welcome).toBe(true);
		}
	});

	it('names no address in what it logs', async () => {
		const world = aWorld();
		world.userCreated(aUser({ email: 'bounces@example.test' as never }));
		await world.background.flush();
		expect(String(world.background.failures[0]?.error)).not.toContain('bounces');
	});
});
