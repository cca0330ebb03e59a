import { describe, expect, it } from 'vitest';
import { aUser } from '../../support/domain/builders.ts';
import { aFixture } from '../../support/domain/fixture.ts';

const ada = 'ada@example.com';

describe('after the creation of an account', () => {
	it('one welcome email is sent, at the first sign-in only', async () => {
		const fixture = aFixture();
		for (let time = 0; time < 3; time += 1) await fixture.signIn(ada);
		await fixture.background.flush();
		expect(fixture.mailer.mails.filter((mail) => mail.kind === 'welcome')).toEqual([
			{ kind: 'welcome', to: ada }
		]);
		expect(fixture.background.failures).toEqual([]);
	});

	it.each(['refused', 'unknown'] as const)(
		'a welcome email that is %s does not fail the sign-in, is logged and not retried',
		async (delivery) => {
			const fixture = aFixture();
			const code = await fixture.sendTo(ada);
			fixture.mailer.meet(delivery);
			expect((await fixture.guess(ada, code)).ok).toBe(true);
			await fixture.background.flush();
			expect(fixture.background.failures).toEqual([
				{ name: 'welcome mail', error: new Error(`delivery ${delivery}`) }
			]);
			fixture.mailer.meet('sent');
			await fixture.signIn(ada);
			await fixture.background.flush();
			const welcomes = fixture.mailer.mails.filter((mail) => mail.kind === 'welcome');
			expect(welcomes).toHaveLength(delivery === 'refused' ? 0 : 1);
		}
	);

	it('a mailer that throws, or never answers, does not delay the sign-in', async () => {
		for (const send of [
			() => Promise.reject(new Error('bug')),
			() => new Promise<never>(() => {})
		]) {
			let welcome = false;
			const fixture = aFixture();
			const wired = aFixture({
				deps: {
					mailer: {
						send: (mail) => {
							if (mail.kind !== 'welcome') return fixture.mailer.send(mail);
							welcome = true;
							return send();
						}
					}
				}
			});
			await wired.request(ada);
			expect((await wired.guess(ada, fixture.mailer.lastCodeTo(ada) ?? '')).ok).toBe(true);
			await Promise.resolve();
			expect(welcome).toBe(true);
		}
	});

	it('log entries contain no address', async () => {
		const fixture = aFixture();
		fixture.userCreated(aUser({ email: 'bounces@example.test' as never }));
		await fixture.background.flush();
		expect(String(fixture.background.failures[0]?.error)).not.toContain('bounces');
	});
});
