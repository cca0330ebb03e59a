import { describe, expect, it } from 'vitest';
import type { CodeReceipts } from '#lib/domain/index.ts';
import { aSender } from '../../../support/domain/builders.ts';
import { aFixture, wrong } from '../../../support/domain/fixture.ts';

const ada = 'ada@example.com';

/** A fixture that lists each receipt: what the code was for, its address and its age in seconds. */
const aSite = () => {
	const entered: string[] = [];
	const codeReceipts: CodeReceipts = {
		entered: ({ purpose, email, createdAt }) => {
			const age = (fixture.clock.now().getTime() - createdAt.getTime()) / 1000;
			entered.push(`${purpose} ${email} ${age}`);
		},
		refused: () => undefined
	};
	const fixture = aFixture({ deps: { codeReceipts }, reauthentication: true });
	return { fixture, entered };
};

describe('an entered code is a receipt', () => {
	it('once, when it signs in', async () => {
		const { fixture, entered } = aSite();
		const code = await fixture.sendTo(ada);
		fixture.clock.advance(42);
		await fixture.guess(ada, wrong(code));
		expect(entered).toEqual([]);
		expect((await fixture.guess(ada, code)).ok).toBe(true);
		expect((await fixture.guess(ada, code)).ok).toBe(false);
		expect(entered).toEqual([`sign_in ${ada} 42`]);
	});

	it('not when it is only checked', async () => {
		const { fixture, entered } = aSite();
		const code = await fixture.sendTo(ada);
		const check = {
			email: ada,
			purpose: 'sign_in',
			code,
			browser: null,
			sender: aSender()
		} as const;
		expect((await fixture.checkCode(check)).ok).toBe(true);
		expect(entered).toEqual([]);
	});

	it('when it proves an address again, and for each code of an email change', async () => {
		const { fixture, entered } = aSite();
		const somebody = await fixture.signIn(ada);
		const code = await fixture.sendTo(ada, null, 'email_verification');
		await fixture.verifyEmail({ email: ada, code, browser: null, sender: aSender() });
		fixture.clock.advance(3600);
		const proof = await fixture.reauthenticationCode(somebody, 'new@example.com');
		await fixture.askToMove(somebody, 'new@example.com', 'code', proof);
		const sent = fixture.mailer.mails.findLast(({ kind }) => kind === 'email_change_code');
		if (sent?.kind !== 'email_change_code') throw new Error('no code for the change');
		await fixture.moveByCode(somebody, 'new@example.com', sent.code);
		expect(entered).toEqual([
			`sign_in ${ada} 0`,
			`email_verification ${ada} 0`,
			`reauthentication ${ada} 0`,
			'email_change new@example.com 0'
		]);
	});

	it('at a deleted account only when the code is used up', async () => {
		const { fixture, entered } = aSite();
		await fixture.remove(await fixture.signIn(ada));
		const code = await fixture.sendTo(ada);
		entered.length = 0;
		await fixture.guess(ada, code);
		expect(entered).toEqual([]);
		await fixture.guess(ada, code, { ifDeleted: 'offer' });
		expect(entered).toHaveLength(1);
	});
});
