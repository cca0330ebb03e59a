import { describe, expect, test } from 'vitest';
import type { UserId } from '#lib/domain/ids.ts';
import { messages } from '#lib/messages/messages.ts';
import { wrong } from '../../support/domain/fixture.ts';
import {
	aDeletedAccount,
	demandOf,
	enterCode,
	purchasePage,
	requestCode,
	SEND,
	SESSION,
	signIn,
	VERIFY
} from '../../support/web/sign-in.ts';
import { aSite, type Site } from '../../support/web/site.ts';

const EMAIL_OTP = '/api/auth/email-otp';
const REFUSED = { code: 'ACCOUNT_BLOCKED', message: 'Account is blocked' };

const blocked = async (site: Site): Promise<{ email: string; userId: UserId }> => {
	const { email } = await signIn(site);
	site.clock.advance(31);
	const { id: userId } = site.userOf(email);
	await site.app.actOnAccount({ verb: 'block', userId, allowsOperators: false });
	return { email, userId };
};

const attemptsOf = ({ tables }: Site): number[] =>
	[...tables.challenges.values()].map(({ attemptsUsed }) => attemptsUsed);

describe('a right code of a blocked account', () => {
	test.each([
		['sign-in', VERIFY, {}],
		['sign-in that restores', VERIFY, { restore: true }],
		['email-verification', `${EMAIL_OTP}/verify-email`, {}],
		['sign-in', `${EMAIL_OTP}/check-verification-otp`, { type: 'sign-in' }],
		['email-verification', `${EMAIL_OTP}/check-verification-otp`, { type: 'email-verification' }]
	])(
		'for %s is refused by %s, any number of times, and a wrong one says nothing',
		async (kind, path, more) => {
			const site = await aSite();
			const { email, userId } = await blocked(site);
			const client = site.visitor();
			const type = kind === 'email-verification' ? kind : 'sign-in';
			await client.call(SEND, { json: { email, type } });
			const otp = await site.codeFor(email);
			const enter = (code: string) => client.call(path, { json: { email, otp: code, ...more } });
			expect((await enter(wrong(otp))).json()).toMatchObject({ code: 'INVALID_OTP' });
			for (let time = 0; time < 6; time += 1) {
				const refused = await enter(otp);
				expect([refused.status, refused.json()]).toEqual([403, REFUSED]);
			}
			expect([attemptsOf(site), site.tables.sessions.size]).toEqual([[1], 0]);
			await site.app.actOnAccount({ verb: 'unblock', userId, allowsOperators: false });
			expect((await enter(otp)).status).toBe(200);
		}
	);

	test.each(['/auth/sign-in', '/auth/sign-up', '/checkout/success'])(
		'opens no session on %s, which says so in one message',
		async (path) => {
			const site = await aSite();
			const { email } = await blocked(site);
			const page = path === '/checkout/success' ? await purchasePage(site, email) : path;
			const visitor = site.visitor();
			await visitor.open(page);
			await requestCode(visitor, email, page);
			const refused = await enterCode(site, visitor, email, page);
			expect([refused.status, demandOf(refused)]).toEqual([403, null]);
			const { form } = refused.form as { form: { errors: object } };
			expect(form.errors).toEqual({ _errors: [messages.errors.accountBlocked] });
			expect([visitor.cookie(SESSION), attemptsOf(site)]).toEqual([null, [0]]);
		}
	);

	test('restores no deleted account, and leaves the offer', async () => {
		const site = await aSite();
		const email = await aDeletedAccount(site);
		const visitor = site.visitor();
		const { id: userId } = site.userOf(email);
		await site.app.actOnAccount({ verb: 'block', userId, allowsOperators: false });
		await requestCode(visitor, email);
		expect((await enterCode(site, visitor, email)).location).toBe('/auth/account-deleted');
		for (let time = 0; time < 2; time += 1) {
			const refused = await visitor.post('/auth/account-deleted?/restore');
			expect([refused.status, refused.form]).toEqual([403, { isBlocked: true }]);
		}
		expect(site.userOf(email).deletedAt).not.toBeNull();
		expect(site.tables.sessions.size).toBe(0);
	});
});
