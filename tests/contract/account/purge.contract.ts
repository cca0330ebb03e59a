import { aSend } from '../../support/domain/builders.ts';
import { expect, it } from 'vitest';
import type { SqlBacking } from '../../support/database/backing.ts';
import { present } from '../../support/http/fixtures.ts';
import { aPurchase, askedFor, signIn } from './account-examples.ts';
import { raceDeleteBesideSignIns, racePurgeBesideRestore, racePurges } from './account-races.ts';
import { requestMove } from '../email-change/email-change-races.ts';
import {
	ada,
	adasPhone,
	aChallenge,
	aHash,
	anEmail,
	at,
	bob,
	policy,
	rounds
} from '../stores/examples.ts';
import { aDecision, onSignUp } from '../consent/consent-examples.ts';
import { storeContract } from '../stores/suite.ts';

/** The purge of accounts, and operations concurrent with it. */
export const purgeContract = storeContract('purge', (backing, name) => {
	const port = () => backing.stores.accounts;
	/** An account that was deleted at the given second; deletion ends its sessions. */
	const deleted = async (seconds: number, email = anEmail()) => {
		const { user } = await signIn(backing.stores, email);
		await port().delete(user.id, at(seconds));
		return user;
	};
	/** One row of each kind that an email address can have, codes and counts included. */
	const fill = async (email: typeof ada, id: Awaited<ReturnType<typeof deleted>>['id']) => {
		const { challenges, throttle, unsubscribeLinks } = backing.stores;
		for (const purpose of ['sign_in', 'email_verification', 'account_restore'] as const) {
			for (const boundTo of [null, adasPhone]) {
				await challenges.issue(aChallenge({ purpose, email, boundTo }), at(1));
			}
		}
		for (const purpose of ['email_change', 'email_change_link'] as const) {
			const challenge = aChallenge({ purpose, email: anEmail(), boundTo: id });
			await challenges.issue(challenge, at(1));
		}
		await throttle.countSend(aSend(email, at(1)), policy);
		await unsubscribeLinks.add(aHash(), id, at(1));
	};
	const counts = async () => {
		const { rows } = backing;
		return {
			users: await rows('users'),
			userData: await rows('userData'),
			sessions: await rows('sessions'),
			challenges: await rows('challenges'),
			throttle: await rows('throttle'),
			purchases: await rows('purchases'),
			unsubscribeLinks: await rows('unsubscribeLinks')
		};
	};

	it('an account deleted at the given time or earlier is removed, and a later one is not', async () => {
		for (const seconds of [10, 20, 20.001]) await deleted(seconds);
		expect(await port().purge(at(9.999), 10)).toHaveLength(0);
		expect(await port().purge(at(20), 1)).toHaveLength(1);
		expect(await port().purge(at(20), 10)).toHaveLength(1);
		expect(await backing.rows('users')).toBe(1);
	});

	it('all its data is removed with it', async () => {
		await backing.stores.purchases.record(aPurchase());
		const user = await deleted(2, ada);
		await fill(ada, user.id);
		expect(await port().purge(at(5), 10)).toHaveLength(1);
		expect(await counts()).toEqual({
			users: 0,
			userData: 0,
			sessions: 0,
			challenges: 0,
			throttle: 0,
			purchases: 0,
			unsubscribeLinks: 0
		});
	});

	it('the records of its consents stay, without its id and email address, and no others change', async () => {
		const { stores, rows } = backing;
		const [gone, other] = [
			await signIn(stores, ada, { marketing: onSignUp }),
			await signIn(stores, bob, { marketing: onSignUp })
		];
		await stores.consents.withdrawMarketing(aDecision(gone.user.id, 3));
		const before = await stores.consents.historyOf(other.user.id, 10);
		await port().delete(gone.user.id, at(4));
		expect(await port().purge(at(5), 10)).toHaveLength(1);
		expect(await rows('consentRecords')).toBe(3);
		expect(await stores.consents.historyOf(gone.user.id, 10)).toEqual([]);
		expect(await stores.consents.historyOf(other.user.id, 10)).toEqual(before);
		const all = JSON.stringify(await backing.dump('consentRecords'));
		expect([gone.user.id, ada].filter((trace) => all.includes(trace))).toEqual([]);
		expect(all.split(JSON.stringify(onSignUp.wording.text))).toHaveLength(4);
	});

	// The memory store has none, and nothing writes them yet.
	if (name !== 'memory') {
		it('its accounts at other providers are removed too', async () => {
			const user = await deleted(2, ada);
			const sql = present((backing as SqlBacking).databases[0]);
			const { linkedAccount } = sql.tables;
			const elsewhere = { providerId: 'elsewhere', accountId: 'ada' };
			const row = { ...elsewhere, id: user.id, userId: user.id, createdAt: at(0) };
			await sql.db.insert(linkedAccount).values({ ...row, updatedAt: at(0) });
			expect(await port().purge(at(5), 10)).toHaveLength(1);
			expect(await sql.db.select().from(linkedAccount)).toEqual([]);
		});
	}

	it('data of other accounts stays, an email change to its address included', async () => {
		const user = await deleted(2, ada);
		const { stores } = backing;
		const other = await signIn(stores, bob);
		await fill(bob, other.user.id);
		await stores.purchases.record(aPurchase({ email: bob }));
		await requestMove(stores, other, ada);
		const before = await counts();
		expect(await port().purge(at(5), 10)).toHaveLength(1);
		expect(await counts()).toEqual({
			...before,
			users: before.users - 1,
			userData: before.userData - 1
		});
		expect(await stores.sessions.listOf(other.user.id, at(5))).toMatchObject([other.session]);
		expect(await backing.stores.consents.of(user.id)).toBeNull();
	});

	it('later sends to its mailbox still count, its wrong guesses do not', async () => {
		const { throttle } = backing.stores;
		const variant = anEmail('ada+shop');
		const hit = (email: typeof ada) => throttle.countSend(aSend(email, at(6)), policy);
		const user = await deleted(2, ada);
		await throttle.countWrongCode(ada, at(3), policy);
		for (let send = 1; send < policy.throttle.sends; send += 1) await hit(variant);
		expect(await port().purge(at(5), 10)).toHaveLength(1);
		expect(await backing.stores.consents.of(user.id)).toBeNull();
		expect(await hit(ada)).toEqual({ kind: 'allowed', wrongCodes: 0, emails: 0 });
		expect(await hit(variant)).toMatchObject({ kind: 'full' });
	});

	it('an unclaimed purchase of its address stays', async () => {
		await deleted(2, ada);
		const purchase = aPurchase();
		await backing.stores.purchases.record(purchase);
		await port().purge(at(5), 10);
		expect(await backing.stores.purchases.find(purchase.reference)).toEqual(purchase);
	});

	it('a restored account is not removed', async () => {
		const user = await deleted(2, ada);
		const { stores } = backing;
		const enter = await askedFor(stores, ada, { ifDeleted: { then: 'restore' } });
		await enter(stores);
		expect(await port().purge(at(10 ** 9), 10)).toHaveLength(0);
		expect(await port().find(ada)).toMatchObject({ id: user.id, deletedAt: null });
	});

	it('concurrent purges skip each other’s accounts: each account is removed and counted once', async () => {
		for (let round = 0; round < rounds(1, 50); round += 1) {
			const { purged, failed } = await racePurges(backing.instances, 12, 4);
			const { length: rest } = await port().purge(at(2), 100);
			expect({ total: purged + rest, failed }).toEqual({ total: 12, failed: 0 });
			expect(await backing.rows('users')).toBe(0);
		}
	});

	it('of a concurrent purge and restoration exactly one succeeds, and no restored account is lost', async () => {
		expect(await racePurgeBesideRestore(backing.instances, rounds(5, 500))).toEqual({
			bothWon: 0,
			nobodyWon: 0,
			lost: 0,
			failed: 0
		});
	});

	it('E15: a deletion with codes entered concurrently leaves no session (CVE-2025-53942)', async () => {
		expect(await raceDeleteBesideSignIns()(backing.instances, rounds(5, 500))).toEqual({
			sessionsLeft: 0,
			failed: 0
		});
	});

	it('E15: a deletion with codes requested and entered concurrently leaves no session either', async () => {
		expect(await raceDeleteBesideSignIns(true)(backing.instances, rounds(5, 500))).toEqual({
			sessionsLeft: 0,
			failed: 0
		});
	});
});
