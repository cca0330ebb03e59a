import { expect, it } from 'vitest';
import { signIn } from '../account/account-examples.ts';
import { aHash, anEmail, at, newUserId } from '../stores/examples.ts';
import { atOnce } from '../stores/races.ts';
import { storeContract } from '../stores/suite.ts';
import { aDecision, FREE, onSignUp } from './consent-examples.ts';

export const unsubscribeLinksContract = storeContract('unsubscribe links', (backing) => {
	const port = () => backing.stores.unsubscribeLinks;
	const account = async (marketing: typeof onSignUp | null = null) =>
		(await signIn(backing.stores, anEmail(), { marketing })).user.id;

	it('a link that was kept is found with its account, and no other', async () => {
		const [id, hash] = [await account(), aHash()];
		expect(await port().add(hash, id, at(1))).toBe(true);
		expect(await port().find(hash)).toEqual({ userId: id, isSubscribed: false });
		expect(await port().find(aHash())).toBeNull();
	});

	it('it says whether the account consents at the moment', async () => {
		const [id, hash] = [await account(onSignUp), aHash()];
		const { consents } = backing.stores;
		await port().add(hash, id, at(1));
		const isSubscribed = async () => (await port().find(hash))?.isSubscribed;
		expect(await isSubscribed()).toBe(true);
		await consents.withdrawMarketing(aDecision(id, 2));
		expect(await isSubscribed()).toBe(false);
		await consents.grantMarketing(aDecision(id, 3), FREE);
		expect(await isSubscribed()).toBe(true);
		await backing.forgetData();
		expect(await isSubscribed()).toBe(false);
	});

	it('keeping it again, also concurrently, changes nothing', async () => {
		const [id, hash] = [await account(), aHash()];
		const kept = await atOnce(backing.instances, 20, ({ unsubscribeLinks }, index) =>
			unsubscribeLinks.add(hash, id, at(index))
		);
		expect(kept).toEqual(kept.map(() => true));
		expect(await backing.rows('unsubscribeLinks')).toBe(1);
	});

	it('an account keeps all its links', async () => {
		const [id, one, other] = [await account(), aHash(), aHash()];
		await port().add(one, id, at(1));
		await port().add(other, id, at(2));
		expect([await port().find(one), await port().find(other)]).toMatchObject([
			{ userId: id },
			{ userId: id }
		]);
	});

	it('a missing account keeps none', async () => {
		const hash = aHash();
		expect(await port().add(hash, newUserId(), at(1))).toBe(false);
		expect(await port().find(hash)).toBeNull();
	});

	it('it works in the grace period of the account, until the account is purged', async () => {
		const [id, hash] = [await account(onSignUp), aHash()];
		const { accounts } = backing.stores;
		await port().add(hash, id, at(1));
		await accounts.delete(id, at(2));
		expect(await port().find(hash)).toEqual({ userId: id, isSubscribed: true });
		expect(await accounts.purge(at(2), 10)).toHaveLength(1);
		expect(await port().find(hash)).toBeNull();
		expect(await port().add(hash, id, at(3))).toBe(false);
	});
});
