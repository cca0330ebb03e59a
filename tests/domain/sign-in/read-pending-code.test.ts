import { describe, expect, it } from 'vitest';
import { secondsFromStart } from '../../support/domain/builders.ts';
import { aFixture, wrong } from '../../support/domain/fixture.ts';

const ada = 'ada@example.com';

describe('the pending code of a browser', () => {
	it('is none before a request', async () => {
		const fixture = aFixture();
		await fixture.sendTo(ada);
		await fixture.sendTo(ada, fixture.aCodeKey());
		expect(await fixture.readPendingCode(fixture.aCodeKey())).toBeNull();
	});

	it('has the address, the time and the attempts left', async () => {
		const fixture = aFixture();
		const codeKey = fixture.aCodeKey();
		const code = await fixture.sendTo(ada, codeKey);
		await fixture.enterCode(ada, wrong(code), { codeKey });
		expect(await fixture.readPendingCode(codeKey)).toEqual({
			email: ada,
			state: 'open',
			attemptsLeft: 4,
			attemptsAllowed: 5,
			secondsLeft: 600,
			expiresAt: secondsFromStart(600),
			sentAt: secondsFromStart(0),
			resendIn: 30,
			bounced: false
		});
	});

	it('is exhausted once no attempt is left, and expired after its lifetime', async () => {
		const fixture = aFixture();
		const codeKey = fixture.aCodeKey();
		const code = await fixture.sendTo(ada, codeKey);
		for (let time = 0; time < 5; time += 1) await fixture.enterCode(ada, wrong(code), { codeKey });
		expect(await fixture.readPendingCode(codeKey)).toMatchObject({
			state: 'exhausted',
			attemptsLeft: 0,
			attemptsAllowed: 5
		});
		fixture.clock.advance(600);
		expect((await fixture.readPendingCode(codeKey))?.state).toBe('expired');
	});
});
