import { describe, expect, it } from 'vitest';
import { defaultPolicy } from '#lib/domain/policy.ts';
import { aRequestSource, secondsFromStart } from '../../support/domain/builders.ts';
import { aSignedIn, errorOf } from '../../support/domain/fixture.ts';

const ada = 'ada@example.com';
const { grace } = defaultPolicy.deletion;
const purgeAt = secondsFromStart(grace);

describe('deleting an account', () => {
	it('emails its address, with when, from where and until when', async () => {
		const { fixture, user } = await aSignedIn(ada);
		await fixture.background.flush();
		const before = fixture.mailer.mails.length;
		const source = aRequestSource({ ipAddress: '192.0.2.7' });
		fixture.clock.advance(5);
		await fixture.deleteAccount({ user, source });
		await fixture.background.flush();
		expect(fixture.mailer.mails.slice(before)).toEqual([
			{
				kind: 'account_deleted',
				to: ada,
				at: secondsFromStart(5),
				purgeAt: secondsFromStart(5 + grace),
				source
			}
		]);
	});
});

describe('the code of a deleted account', () => {
	it('when right returns the deadline, opens no session, and is not used up, ten times over', async () => {
		const { fixture, user } = await aSignedIn(ada);
		await fixture.remove({ user });
		const codeKey = fixture.aCodeKey();
		const code = await fixture.sendTo(ada, codeKey);
		for (let time = 0; time < 10; time += 1) {
			expect(errorOf(await fixture.enterCode(ada, code, { codeKey }))).toEqual({
				code: 'account_deleted',
				purgeAt,
				restoreToken: null
			});
			expect(await fixture.readPendingCode(codeKey)).toMatchObject({
				state: 'open',
				attemptsLeft: 5
			});
		}
		expect(await fixture.listSessions(user.id)).toEqual([]);
		const restored = await fixture.enterCode(ada, code, { codeKey, ifDeleted: 'restore' });
		expect(restored).toMatchObject({ ok: true, value: { user: { id: user.id } } });
	});
});
