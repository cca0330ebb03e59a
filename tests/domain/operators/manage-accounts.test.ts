import { describe, expect, it } from 'vitest';
import { aFixture, aSignedIn } from '../../support/domain/fixture.ts';

const ada = 'ada@example.com';

describe('the accounts of others', () => {
	it('are found by address, by the beginning of one, or by id, page by page', async () => {
		const fixture = aFixture();
		for (const name of ['bob', 'ada', 'adam']) await fixture.signIn(`${name}@example.com`);
		const list = async (text: string, after: string | null = null, size = 2) => {
			const { accounts, next } = await fixture.listAccounts(text, after, size);
			return [accounts.map(({ email }) => email), next];
		};
		const both = [ada, 'adam@example.com'];
		expect(await list(' ADA')).toEqual([both, null]);
		expect(await list('')).toEqual([both, 'adam@example.com']);
		expect(await list('', 'adam@example.com')).toEqual([['bob@example.com'], null]);
		const found = await fixture.findAccount(' Ada@Example.com ');
		expect(found?.email).toBe(ada);
		expect(await list(found?.id ?? '')).toEqual([[ada], null]);
		expect(await fixture.findAccount('ad')).toBeNull();
	});

	it('are shown with everything, and that is recorded', async () => {
		const { fixture, user, session } = await aSignedIn(ada);
		await fixture.askToMove({ user, session }, 'new@example.com');
		const sheet = await fixture.viewAccount(user.id, null);
		expect(sheet).toMatchObject({
			account: { email: ada, role: null, purgeAt: null, marketingOptIn: false },
			sessions: [{ id: session.id }],
			pendingChange: { email: 'new@example.com' }
		});
		// The code of the change is not among it.
		expect(JSON.stringify(sheet)).not.toContain('secretHash');
		expect(sheet?.events.map(({ kind }) => kind)).toEqual(['opened', 'signed_up']);
	});

	it('are deleted with an email that says how to restore them, and names no device', async () => {
		const { fixture, user } = await aSignedIn(ada);
		const act = (verb: 'delete' | 'restore') =>
			fixture.actOnAccount({ verb, userId: user.id, allowsOperators: false });
		expect(await act('delete')).toHaveLength(1);
		await fixture.background.flush();
		const mail = { kind: 'account_deleted', to: ada, source: null };
		expect(fixture.mailer.mails.at(-1)).toMatchObject(mail);
		expect(await act('restore')).toEqual([]);
	});
});
