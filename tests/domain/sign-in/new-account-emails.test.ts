import { describe, expect, it } from 'vitest';
import { memoryMailer } from '../../support/memory/mailer.ts';
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

	it('a mailer that throws, or never answers, does not delay the sign-in', async () => {
		for (const send of [
			() => Promise.reject(new Error('bug')),
			() => new Promise<never>(() => {})
		]) {
			const tried = Promise.withResolvers<string>();
			const mailer = memoryMailer();
			const fixture = aFixture({
				mailer: {
					send: (mail) => {
						if (mail.kind !== 'welcome') return mailer.send(mail);
						tried.resolve(mail.to);
						return send();
					}
				}
			});
			await fixture.request(ada);
			expect((await fixture.guess(ada, mailer.lastCodeTo(ada) ?? '')).ok).toBe(true);
			expect(await tried.promise).toBe(ada);
		}
	});
});
