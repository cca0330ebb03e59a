import { describe, expect, it } from 'vitest';
import { defaultPolicy } from '#lib/domain/policy.ts';
import type { Email } from '#lib/domain/email.ts';
import { aRequestSource } from '../../support/domain/builders.ts';
import {
	aFixture,
	aSigner,
	errorOf,
	restoreTokenIn,
	valueOf,
	wrong,
	type Fixture
} from '../../support/domain/fixture.ts';

const ada = 'ada@example.com';
const thief = 'thief@example.com';
const hideout = 'hideout@example.com';
const { undoFor } = defaultPolicy.emailChange;
const invalid = { code: 'invalid_undo_link' };

/** The link in the newest notice of a change. */
const newestLink = ({ undoTokens }: Fixture) => {
	const token = undoTokens.at(-1);
	if (token === undefined) throw new Error('no notice has a link');
	return token;
};
const undo = async (fixture: Fixture, token: string) => {
	const undone = await fixture.undoEmailChange({ token, source: aRequestSource() });
	await fixture.background.flush();
	return undone;
};
const emailNow = async (fixture: Fixture, userId: string): Promise<string | null> => {
	for (const email of [ada, thief, hideout]) {
		const found = await fixture.accounts.find(email as Email);
		if (found?.id === userId) return email;
	}
	return null;
};

/** An account that a thief has moved to an address of his own, with the link of its owner. */
const stolen = async (fixture: Fixture) => {
	const owner = await fixture.signIn(ada);
	const session = await fixture.signIn(ada);
	const moved = await fixture.move(session, thief);
	await fixture.background.flush();
	fixture.clock.advance(600);
	return { id: owner.user.id, moved, link: newestLink(fixture) };
};

describe('undoing an email change', () => {
	it('gives the account back, ends every session, voids everything and tells the other address', async () => {
		const fixture = aFixture();
		const { id, link, moved } = await stolen(fixture);
		const pendingCode = await fixture.sendTo(thief);
		const pendingMove = await fixture.codeToMove(moved, hideout);
		const at = fixture.clock.now();
		expect(await undo(fixture, link)).toMatchObject({
			ok: true,
			value: { user: { id, email: ada }, ended: [moved.session.id] }
		});
		expect(await fixture.whoIs(moved.token)).toBeNull();
		expect(errorOf(await fixture.moveByCode(moved, hideout, pendingMove))).not.toBeNull();
		expect(errorOf(await fixture.enterCode(thief, pendingCode))).toMatchObject({
			code: 'invalid_code'
		});
		expect(fixture.mailer.mails.at(-1)).toEqual({
			kind: 'email_change_undone',
			to: thief,
			oldEmail: ada,
			at,
			source: aRequestSource()
		});
		fixture.clock.advance(900);
		expect((await fixture.signIn(ada)).user.id).toBe(id);
	});

	it('works until the 7 days are over', async () => {
		for (const [seconds, works] of [
			[undoFor - 601, true],
			[undoFor - 600, false]
		] as const) {
			const fixture = aFixture();
			const { link } = await stolen(fixture);
			fixture.clock.advance(seconds);
			expect((await undo(fixture, link)).ok).toBe(works);
		}
	});

	it('K04: every other text is no link', async () => {
		const fixture = aFixture();
		const { id, link } = await stolen(fixture);
		const [right = '', signature = ''] = link.split('.');
		// The right of another account, with the signature of this one.
		await fixture.move(await fixture.signIn('bob@example.com'), hideout);
		await fixture.background.flush();
		const [other] = newestLink(fixture).split('.');
		const forged = ['', '.', right, `${right}.`, `${other}.${signature}`, `${link}.`, `${link}.x`];
		for (const token of [
			...forged,
			fixture.newDeviceSigner.sign(JSON.stringify(['undo', right]))
		]) {
			expect(errorOf(await undo(fixture, token))).toEqual(invalid);
		}
		expect(await emailNow(fixture, id)).toBe(thief);
	});

	it('N02: works while the secret that signed it is configured', async () => {
		const before = aFixture({ undoSigner: aSigner('old') });
		const { link } = await stolen(before);
		const on = (...keys: string[]): Fixture =>
			aFixture({ ...before.stores, undoSigner: aSigner(...keys) });
		expect(await on('new').readUndo(link)).toBeNull();
		expect(await on('new', 'old').readUndo(link)).toMatchObject({ to: ada });
	});
});

describe('a deletion in between', () => {
	it('does not end the right: the owner gets the account back and restores it', async () => {
		const fixture = aFixture();
		const { id, link, moved } = await stolen(fixture);
		await fixture.remove(moved);
		expect((await undo(fixture, link)).ok).toBe(true);
		fixture.clock.advance(900);
		expect(errorOf(await fixture.enterCode(thief, await fixture.sendTo(thief)))).toBeNull();
		const offered = await fixture.enterCode(ada, await fixture.sendTo(ada), { ifDeleted: 'offer' });
		const restored = await fixture.restoreAccount({
			restoreToken: restoreTokenIn(offered),
			source: aRequestSource()
		});
		expect(valueOf(restored).user).toMatchObject({ id, email: ada });
	});

	it('the account is not purged while the right lasts, also with a shorter grace period', async () => {
		const deletion = { ...defaultPolicy.deletion, grace: 86_400 };
		const fixture = aFixture({ policy: { ...defaultPolicy, deletion } });
		const { id, link, moved } = await stolen(fixture);
		await fixture.remove(moved);
		fixture.clock.advance(undoFor - 601);
		expect(await fixture.purgeAccounts()).toBe(0);
		expect((await undo(fixture, link)).ok).toBe(true);
		expect(await emailNow(fixture, id)).toBe(ada);
	});
});

describe('the old address', () => {
	it('K15: makes no account: its right code leads to the undo, and is not spent', async () => {
		const fixture = aFixture();
		const { id, link } = await stolen(fixture);
		const code = await fixture.sendTo(ada);
		for (let time = 0; time < 7; time += 1) {
			expect(errorOf(await fixture.enterCode(ada, code, { ifDeleted: 'restore' }))).toMatchObject({
				code: 'address_reserved',
				undoToken: link
			});
		}
		expect(errorOf(await fixture.enterCode(ada, wrong(code)))).toEqual({
			code: 'invalid_code',
			attemptsLeft: 4
		});
		expect(await fixture.accounts.find(ada as Email)).toBeNull();
		expect((await undo(fixture, link)).ok).toBe(true);
		expect(await emailNow(fixture, id)).toBe(ada);
	});

	it('C01: a wrong code gets the answer of any address, and the request for a code too', async () => {
		const fixture = aFixture();
		await stolen(fixture);
		const answers = [];
		for (const email of [ada, 'nobody@example.com']) {
			const code = await fixture.sendTo(email);
			answers.push(errorOf(await fixture.enterCode(email, wrong(code))));
		}
		expect(answers[0]).toEqual(answers[1]);
	});

	it('gets a code where sign-up is closed, and no other unknown address does', async () => {
		const fixture = aFixture({ signUp: 'closed' });
		const open = aFixture({ ...fixture.stores });
		const { link } = await stolen(open);
		const kinds = async (email: string): Promise<number> => {
			await fixture.request(email);
			await fixture.background.flush();
			return fixture.mailer.mails.filter(({ to }) => to === email).length;
		};
		expect([await kinds(ada), await kinds('nobody@example.com')]).toEqual([1, 0]);
		const code = fixture.mailer.lastCodeTo(ada) ?? '';
		expect(errorOf(await fixture.enterCode(ada, code))).toMatchObject({ undoToken: link });
	});
});
