import { expect, it } from 'vitest';
import type { Stores } from '#lib/domain/deps.ts';
import { signIn } from '../account/account-examples.ts';
import { aChange, completing } from '../email-change/email-change-races.ts';
import { ada, aChallenge, anEmail, aRedemption, at, bob } from '../stores/examples.ts';
import { storeContract } from '../stores/suite.ts';
import { anOutboxRow } from './outbox-examples.ts';

/** Every operation that stores a fact stores the emails about it exactly then. */
export const mailsWithFactsContract = storeContract('emails with their facts', (backing) => {
	const stores = (): Stores => backing.stores;
	const queued = () => backing.rows('outboxRows');

	it('a code is stored with its email, and an older one without', async () => {
		const { challenges } = stores();
		const newer = aChallenge({ createdAt: at(10) });
		await challenges.issue(newer, at(10), [anOutboxRow()]);
		expect(await queued()).toBe(1);
		await challenges.issue(aChallenge({ createdAt: at(5) }), at(10), [anOutboxRow()]);
		expect(await queued()).toBe(1);
		expect(await backing.dump('challenges')).toMatchObject([{ id: newer.id }]);
	});

	it('a new account is stored with its emails, and an existing one without', async () => {
		const { challenges, signIns } = stores();
		const redeem = async () => {
			const challenge = aChallenge();
			await challenges.issue(challenge, at(0));
			const redemption = aRedemption(challenge);
			const account = { ...redemption.account, mails: [anOutboxRow()] };
			const redeemed = await signIns.redeem({ ...redemption, account });
			expect(await signIns.redeem({ ...redemption, account })).toBeNull();
			return redeemed;
		};
		expect(await redeem()).toMatchObject({ created: true });
		expect(await queued()).toBe(1);
		expect(await redeem()).toMatchObject({ created: false });
		expect(await queued()).toBe(1);
	});

	it('an account is deleted with its emails, once', async () => {
		const { user } = await signIn(stores());
		expect(await stores().accounts.delete(user.id, at(10), [anOutboxRow()])).not.toBeNull();
		expect(await stores().accounts.delete(user.id, at(11), [anOutboxRow()])).toBeNull();
		expect(await queued()).toBe(1);
	});

	it('an email change is requested with its emails, unless it is not stored', async () => {
		const { emailChanges } = stores();
		const adas = await signIn(stores());
		const account = { userId: adas.user.id, from: ada };
		const change = aChange(adas, anEmail(), { createdAt: at(10) });
		await emailChanges.request(change, account, at(10), [anOutboxRow(), anOutboxRow()]);
		expect(await queued()).toBe(2);
		const older = aChange(adas, anEmail(), { createdAt: at(5) });
		await emailChanges.request(older, account, at(10), [anOutboxRow()]);
		const elsewhere = { ...account, from: bob };
		await emailChanges.request(aChange(adas, anEmail()), elsewhere, at(10), [anOutboxRow()]);
		expect(await queued()).toBe(2);
	});

	it('an email change is completed with its emails, once, and not to a taken address', async () => {
		const { emailChanges } = stores();
		const adas = await signIn(stores());
		await signIn(stores(), bob);
		const complete = async (to: typeof bob) => {
			const change = aChange(adas, to);
			await emailChanges.request(change, { userId: adas.user.id, from: ada }, at(1));
			const completed = completing(adas, change);
			// The old address gets a right to undo the change, so the emails with the right go out.
			const undo = { ...completed.undo, mailsWithUndo: [anOutboxRow()] };
			const completion = { ...completed, mailsWithoutUndo: [anOutboxRow(), anOutboxRow()], undo };
			const first = await emailChanges.complete(completion, at(2));
			return [first, await emailChanges.complete(completion, at(2))];
		};
		expect(await complete(bob)).toEqual(['email_taken', 'email_taken']);
		expect(await queued()).toBe(0);
		expect(await complete(anEmail('new'))).toEqual([expect.anything(), null]);
		expect(await queued()).toBe(1);
	});

	it('a fact is not stored if its email cannot be', async () => {
		const email = anOutboxRow();
		await stores().challenges.issue(aChallenge(), at(0), [email]);
		const { user } = await signIn(stores(), bob);
		const again = stores().accounts.delete(user.id, at(5), [email]);
		await expect(again).rejects.toMatchObject({ name: 'StoreUnavailable' });
		expect(await stores().accounts.find(bob)).toMatchObject({ deletedAt: null });
		const code = stores().challenges.issue(aChallenge({ email: bob }), at(5), [email]);
		await expect(code).rejects.toMatchObject({ name: 'StoreUnavailable' });
		expect(await queued()).toBe(1);
	});
});
