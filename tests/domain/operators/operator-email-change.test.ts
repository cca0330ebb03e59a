import { describe, expect, it } from 'vitest';
import type { Account } from '#lib/domain/account/ports.ts';
import { aRequestSource } from '../../support/domain/builders.ts';
import { aFixture, errorOf, valueOf, wrong, type Fixture } from '../../support/domain/fixture.ts';

const ada = 'ada@example.com';
const to = 'ada@example.net';
const why = 'checked by phone';

const accountOf = async (fixture: Fixture, email = ada): Promise<Account> => {
	const found = await fixture.findAccount(email);
	if (found === null) throw new Error('no account');
	return found;
};

/** An operator’s change of Ada’s account, with the code that was sent. */
const requested = async (fixture: Fixture) => {
	await fixture.signIn(ada);
	const change = valueOf(await fixture.requestOperatorEmailChange(await accountOf(fixture), to));
	const mail = fixture.mailer.mails.at(-1);
	if (mail?.kind !== 'operator_email_change_code') throw new Error('no code');
	expect(mail).toMatchObject({ to, account: ada });
	return { change, code: mail.code };
};

describe('an email change by an operator', () => {
	it('tells both addresses, ends the sessions, and the old address can undo it', async () => {
		const fixture = aFixture();
		const { change, code } = await requested(fixture);
		await fixture.storeCounts();
		const noted = await fixture.stores.events.pageOf(change.userId, null, 9);
		expect(noted).toContainEqual(expect.objectContaining({ kind: 'code_sent', count: 2 }));
		const { user, ended } = valueOf(await fixture.confirmOperatorEmailChange(change, code, why));
		await fixture.background.flush();
		expect([user.email, ended.length]).toEqual([to, 1]);
		const notices = fixture.mailer.mails.flatMap((mail) =>
			mail.kind === 'operator_email_change_notice' ? [mail] : []
		);
		expect(notices.map((mail) => [mail.to, mail.undoToken !== null])).toEqual([
			[ada, true],
			[to, false]
		]);
		const token = notices[0]?.undoToken ?? '';
		const undone = valueOf(await fixture.undoEmailChange({ token, source: aRequestSource() }));
		expect(undone.user.email).toBe(ada);
	});

	it('its code works for nothing else, and five wrong ones end it', async () => {
		const fixture = aFixture();
		const { change, code } = await requested(fixture);
		const mover = await fixture.signIn(ada);
		expect(errorOf(await fixture.moveByCode(mover, to, code))?.code).toBe('invalid_code');
		expect(errorOf(await fixture.prove(to, code))?.code).toBe('invalid_code');
		expect(errorOf(await fixture.enterCode(to, code))?.code).toBe('invalid_code');
		const confirm = (typed: string) => fixture.confirmOperatorEmailChange(change, typed, why);
		for (let left = 4; left >= 0; left -= 1) {
			const refused = { code: 'invalid_code', attemptsLeft: left };
			expect(errorOf(await confirm(wrong(code)))).toEqual(refused);
		}
		expect(errorOf(await confirm(code))).toEqual({ code: 'too_many_attempts' });
		expect((await accountOf(fixture)).email).toBe(ada);
	});

	it('ends when the account is deleted, before the code is sent or after', async () => {
		const fixture = aFixture();
		const { change, code } = await requested(fixture);
		const { id: userId } = await accountOf(fixture);
		await fixture.actOnAccount({ verb: 'delete', userId, allowsOperators: true });
		const confirmed = await fixture.confirmOperatorEmailChange(change, code, why);
		expect(errorOf(confirmed)).toEqual({ code: 'expired_code' });
		const again = await fixture.requestOperatorEmailChange(await accountOf(fixture), to);
		expect(errorOf(again)?.code).toBe('account_deleted');
	});

	it('is refused for an address that is incomplete, the same, taken or not reached', async () => {
		const fixture = aFixture();
		await fixture.signIn(ada);
		await fixture.signIn('bob@example.com');
		const account = await accountOf(fixture);
		const codes: (string | undefined)[] = [];
		for (const email of ['ada', ada, 'bob@example.com', 'bounces@example.test']) {
			codes.push(errorOf(await fixture.requestOperatorEmailChange(account, email))?.code);
		}
		expect(codes).toEqual(['invalid_email', 'same_email', 'email_taken', 'delivery_failed']);
	});

	it('is refused for an address that another account may have back, but not for its own', async () => {
		const fixture = aFixture();
		const { change, code } = await requested(fixture);
		valueOf(await fixture.confirmOperatorEmailChange(change, code, why));
		await fixture.signIn('bob@example.com');
		const { length } = fixture.mailer.mails;
		const bob = await accountOf(fixture, 'bob@example.com');
		expect(errorOf(await fixture.requestOperatorEmailChange(bob, ada))?.code).toBe('email_taken');
		expect(fixture.mailer.mails).toHaveLength(length);
		valueOf(await fixture.requestOperatorEmailChange(await accountOf(fixture, to), ada));
	});
});
