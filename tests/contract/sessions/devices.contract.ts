import { aSend } from '../../support/domain/builders.ts';
import { describe, expect, it } from 'vitest';
import { mailboxOf } from '#lib/domain/limits/throttle-send.ts';
import type { Send } from '#lib/domain/limits/ports.ts';
import { askedFor, signIn } from '../account/account-examples.ts';
import { move } from '../email-change/email-change-races.ts';
import {
	ada,
	aChallenge,
	aHash,
	anEmail,
	aRedemption,
	at,
	bob,
	policy,
	rounds
} from '../stores/examples.ts';
import { storeContract } from '../stores/suite.ts';
import { aDevicePlacement, aProgram, signInOn } from './device-examples.ts';
import {
	raceAccountsOnDevice,
	raceDevicesOfAccount,
	raceKnownSends,
	raceSignInsOnDevice
} from './device-races.ts';

const { perAccount, accounts: perKey } = policy.devices;

export const devicesContract = storeContract('known devices', (backing) => {
	const stores = () => backing.stores;
	const known = async (key: ReturnType<typeof aHash>, email = ada) =>
		(await stores().devices.knownAccount(key, email)) !== null;
	const rows = () => backing.rows('devices');

	it('a device is known by its key for the account that signed in on it, and for no other', async () => {
		const { key, user } = await signInOn(stores());
		await signIn(stores(), bob);
		expect(await stores().devices.knownAccount(key, ada)).toBe(user.id);
		expect(await known(key, bob)).toBe(false);
		expect(await known(key, anEmail())).toBe(false);
		expect(await known(aHash())).toBe(false);
	});

	it('the devices of an account are listed, the last used first', async () => {
		const { user, key } = await signInOn(stores(), { usedAt: at(1), userAgent: 'old' });
		await signInOn(stores(), { usedAt: at(2), userAgent: 'other' });
		await signInOn(stores(), { presentedHashes: [key], usedAt: at(3), userAgent: 'updated' });
		const listed = await stores().devices.listOf(user.id);
		const all = { id: expect.any(String), isKnown: true, email: ada };
		expect(listed).toEqual([
			{ ...all, userAgent: 'updated', createdAt: at(1), usedAt: at(3) },
			{ ...all, userAgent: 'other', createdAt: at(2), usedAt: at(2) }
		]);
	});

	it('T04: the next sign-in replaces the key, and the earlier one is worthless', async () => {
		const { key } = await signInOn(stores());
		const next = await signInOn(stores(), { presentedHashes: [key] });
		expect([await known(key), await known(next.key)]).toEqual([false, true]);
		expect(await rows()).toBe(1);
	});

	it('E03: signing in again in a browser ends its earlier sessions, and no others', async () => {
		const here = await signInOn(stores());
		const there = await signInOn(stores());
		const bobs = await signInOn(stores(), { presentedHashes: [here.key] }, bob);
		const again = await signInOn(stores(), { presentedHashes: [bobs.key] });
		expect(again.ended).toEqual([here.session.id]);
		const idsOf = async ({ user }: typeof here): Promise<readonly string[]> =>
			(await stores().sessions.listOf(user.id, at(2))).map(({ id }) => id);
		expect((await idsOf(here)).toSorted()).toEqual([there.session.id, again.session.id].toSorted());
		expect(await idsOf(bobs)).toEqual([bobs.session.id]);
	});

	it('signing in again in a program ends none of its sessions', async () => {
		const program = aProgram();
		await signIn(stores(), ada, { device: program });
		const { user, ended } = await signIn(stores(), ada, { device: program });
		expect(ended).toEqual([]);
		const listed = await stores().sessions.listOf(user.id, at(2));
		expect(listed.map(({ deviceId }) => deviceId)).toEqual([program.id, program.id]);
	});

	it('other accounts on the device move to the new key', async () => {
		const { key } = await signInOn(stores());
		const bobs = await signInOn(stores(), { presentedHashes: [key] }, bob);
		expect([await known(bobs.key), await known(bobs.key, bob)]).toEqual([true, true]);
		expect([await known(key), await known(key, bob)]).toEqual([false, false]);
	});

	it('T04: a presented key that nobody knows is not adopted', async () => {
		const planted = aHash();
		const { key } = await signInOn(stores(), { presentedHashes: [planted] });
		expect([await known(planted), await known(key)]).toEqual([false, true]);
	});

	it('a program keeps its key', async () => {
		const key = aHash();
		for (const email of [ada, bob, ada]) {
			await signIn(stores(), email, { device: aProgram(key) });
		}
		expect([await known(key), await known(key, bob)]).toEqual([true, true]);
		expect(await rows()).toBe(2);
	});

	it('N02: rows under the hash of an earlier secret move to the current one', async () => {
		const [earlier, current] = [aHash(), aHash()];
		for (const email of [ada, bob]) await signInOn(stores(), { keyHash: earlier }, email);
		const rotated = aProgram(current, { presentedHashes: [current, earlier] });
		await signIn(stores(), ada, { device: rotated });
		expect([await known(earlier), await known(earlier, bob)]).toEqual([false, false]);
		expect([await known(current), await known(current, bob)]).toEqual([true, true]);
	});

	it('N02: of rows under both hashes the last used one stays', async () => {
		const [earlier, current] = [aHash(), aHash()];
		for (const keyHash of [earlier, current]) {
			for (const email of [ada, bob]) await signInOn(stores(), { keyHash }, email);
		}
		expect(await rows()).toBe(4);
		const rotated = aProgram(current, { presentedHashes: [current, earlier] });
		await signIn(stores(), ada, { device: rotated });
		expect([await known(current), await known(current, bob)]).toEqual([true, true]);
		expect(await rows()).toBe(2);
	});

	it('T05: a device is known for five accounts: the sixth replaces the one not used for longest', async () => {
		const emails = Array.from({ length: perKey + 1 }, () => anEmail());
		let presented = [aHash()];
		for (const [second, email] of emails.entries()) {
			const { key } = await signInOn(
				stores(),
				{ presentedHashes: presented, usedAt: at(second) },
				email
			);
			presented = [key];
		}
		const [key = aHash()] = presented;
		const knows = await Promise.all(emails.map((email) => known(key, email)));
		expect(knows).toEqual([false, true, true, true, true, true]);
		expect(await rows()).toBe(perKey);
	});

	it('T05: an account has 20 devices: the next replaces the one not used for longest', async () => {
		const keys = [];
		for (let second = 0; second < perAccount; second += 1) {
			keys.push((await signInOn(stores(), { usedAt: at(second) })).key);
		}
		const [first = aHash(), second = aHash()] = keys;
		const again = await signInOn(stores(), { presentedHashes: [first], usedAt: at(50) });
		await signInOn(stores(), { usedAt: at(51) });
		expect([await known(again.key), await known(second)]).toEqual([true, false]);
		expect(await rows()).toBe(perAccount);
	});

	it('T05: a device that is no longer known gives way first, however recently it was used', async () => {
		const here = await signInOn(stores(), { usedAt: at(0) });
		await signInOn(stores(), { usedAt: at(2) });
		const to = anEmail();
		await move(stores(), here, to);
		const limits = { ...policy.devices, perAccount: 2 };
		const next = await signInOn(stores(), { usedAt: at(4), limits }, to);
		expect([await known(here.key, to), await known(next.key, to)]).toEqual([true, true]);
		expect(await rows()).toBe(2);
	});

	it('the device of a sign-in stays when the clock was set back, and other accounts do not count', async () => {
		const limits = { ...policy.devices, perAccount: 1 };
		const [ahead, others] = [{ usedAt: at(100), limits }, { limits }];
		await signInOn(stores(), ahead);
		await signInOn(stores(), others, bob);
		const { key } = await signInOn(stores(), { usedAt: at(1), limits });
		await signInOn(stores(), others, bob);
		expect(await known(key)).toBe(true);
		expect(await rows()).toBe(2);
	});

	it('a code that is refused changes no device', async () => {
		const { key } = await signInOn(stores());
		const device = aDevicePlacement({ presentedHashes: [key] });
		const gone = aChallenge();
		expect(await stores().signIns.redeem(aRedemption(gone, { device }))).toBeNull();
		expect([await known(key), await known(device.keyHash)]).toEqual([true, false]);
	});

	it('a sign-in to an account that stays deleted changes no device', async () => {
		const { user } = await signIn(stores());
		const { key } = await signInOn(stores(), {}, bob);
		await stores().accounts.delete(user.id, at(2));
		const device = aDevicePlacement({ presentedHashes: [key] });
		const enter = await askedFor(stores(), ada, { device });
		expect((await enter(stores()))?.kind).toBe('deleted');
		expect([await known(key, bob), await known(device.keyHash)]).toEqual([true, false]);
	});

	describe('ending sessions', () => {
		it('T06: signing out keeps the device', async () => {
			const [tokenHash, device] = [aHash(), aDevicePlacement()];
			await signIn(stores(), ada, { tokenHash, device });
			await stores().sessions.end(tokenHash);
			expect(await known(device.keyHash)).toBe(true);
		});

		it('T06: ending one session forgets its device for this account only', async () => {
			const adas = await signInOn(stores());
			const others = await signInOn(stores());
			const bobs = await signInOn(stores(), { presentedHashes: [adas.key] }, bob);
			expect(await known(bobs.key)).toBe(true);
			await stores().sessions.endOne(adas.user.id, adas.session.id);
			expect([await known(bobs.key), await known(bobs.key, bob)]).toEqual([false, true]);
			expect(await known(others.key)).toBe(true);
		});

		it('another account can end no session, and forgets no device', async () => {
			const adas = await signInOn(stores());
			const { user } = await signInOn(stores(), {}, bob);
			expect(await stores().sessions.endOne(user.id, adas.session.id)).toBeNull();
			expect(await known(adas.key)).toBe(true);
		});

		it('T06: signing out everywhere forgets every device of the account', async () => {
			const here = await signInOn(stores());
			const there = await signInOn(stores());
			const bobs = await signInOn(stores(), { presentedHashes: [there.key] }, bob);
			await stores().sessions.endOne(here.user.id, aRedemption(aChallenge()).session.id);
			await stores().sessions.endSessionsExcept(here.user.id, null);
			expect([await known(here.key), await known(bobs.key)]).toEqual([false, false]);
			expect(await known(bobs.key, bob)).toBe(true);
		});

		it('signing out all others keeps the device of the session that stays', async () => {
			const here = await signInOn(stores());
			const there = await signInOn(stores());
			await stores().sessions.endSessionsExcept(here.user.id, here.session.id);
			expect([await known(here.key), await known(there.key)]).toEqual([true, false]);
		});

		it('signing out all others from a session without a device forgets all devices', async () => {
			const there = await signInOn(stores());
			const { user, session } = await signIn(stores());
			await stores().sessions.endSessionsExcept(user.id, session.id);
			expect(await known(there.key)).toBe(false);
		});

		it('T06: deleting the account forgets every device', async () => {
			const { user } = await signInOn(stores());
			await signInOn(stores());
			await stores().accounts.delete(user.id, at(2));
			expect(await rows()).toBe(0);
		});

		it('an email change keeps the device of its session, for the new address', async () => {
			const here = await signInOn(stores());
			const there = await signInOn(stores());
			const to = anEmail();
			expect((await move(stores(), here, to)).moved).toMatchObject({ user: { email: to } });
			expect([await known(here.key, to), await known(here.key)]).toEqual([true, false]);
			expect([await known(there.key, to), await known(there.key)]).toEqual([false, false]);
		});
	});

	describe('the email address that last signed in on a device', () => {
		const emailOn = (key: ReturnType<typeof aHash>) => stores().devices.lastEmail(key);

		it('is that of the last sign-in, under the key that the browser has now', async () => {
			const adas = await signInOn(stores());
			expect([await emailOn(adas.key), await emailOn(aHash())]).toEqual([ada, null]);
			const bobs = await signInOn(stores(), { presentedHashes: [adas.key] }, bob);
			expect([await emailOn(adas.key), await emailOn(bobs.key)]).toEqual([null, bob]);
			const again = await signInOn(stores(), { presentedHashes: [bobs.key] });
			expect(await emailOn(again.key)).toBe(ada);
		});

		it('can be forgotten, for all accounts, and the device stays known', async () => {
			const adas = await signInOn(stores());
			const { key } = await signInOn(stores(), { presentedHashes: [adas.key] }, bob);
			await stores().devices.forgetEmail(key);
			expect([await emailOn(key), await known(key), await known(key, bob)]).toEqual([
				null,
				true,
				true
			]);
		});

		it.each([
			[
				'its session is ended',
				({ session, user }) => stores().sessions.endOne(user.id, session.id)
			],
			['all sessions are ended', ({ user }) => stores().sessions.endSessionsExcept(user.id, null)],
			[
				'its sign-in is reported',
				async ({ session, user }) => {
					const [listed] = await stores().sessions.listOf(user.id, at(2));
					return stores().sessions.endOnDevice(session.id, listed?.deviceId ?? null);
				}
			],
			['the account is deleted', ({ user }) => stores().accounts.delete(user.id, at(2))]
		] satisfies [string, (on: Awaited<ReturnType<typeof signInOn>>) => Promise<unknown>][])(
			'is forgotten when %s',
			async (_, end) => {
				const signedIn = await signInOn(stores());
				await end(signedIn);
				expect(await emailOn(signedIn.key)).toBeNull();
			}
		);

		it('stays when the session expires, and after an email change elsewhere', async () => {
			const there = await signInOn(stores());
			await stores().sessions.prune(at(policy.session.lifetime + 9), 10);
			expect(await emailOn(there.key)).toBe(ada);
			const here = await signInOn(stores());
			await move(stores(), here, anEmail());
			expect([await emailOn(there.key), await emailOn(here.key)]).toEqual([ada, null]);
		});
	});

	it('a refresh of its session is a use of the device', async () => {
		const { key, session } = await signInOn(stores());
		const now = at(policy.session.refreshAfter + 2);
		const times = { now, dueSince: at(2), expiresAt: at(policy.session.lifetime) };
		expect(await stores().sessions.refresh(session.id, times)).not.toBeNull();
		expect(await stores().devices.prune(at(2), 10)).toBe(0);
		expect(await known(key)).toBe(true);
	});

	it('pruning removes devices that were not used for long, at most the limit', async () => {
		for (const second of [0, 1, 2]) await signInOn(stores(), { usedAt: at(second) });
		const { key } = await signInOn(stores(), { usedAt: at(3) });
		const { devices } = stores();
		expect([await devices.prune(at(2), 2), await devices.prune(at(2), 2)]).toEqual([2, 1]);
		expect(await devices.prune(at(2), 2)).toBe(0);
		expect(await known(key)).toBe(true);
	});

	it('T05: 20 devices of an account are known after 24 concurrent sign-ins', async () => {
		for (let round = 0; round < rounds(1, 20); round += 1) {
			expect(await raceDevicesOfAccount(backing.instances, 24)).toEqual({
				known: perAccount,
				failed: 0
			});
		}
	});

	it('T05: of 12 accounts that sign in at once with one key it is known for five', async () => {
		for (let round = 0; round < rounds(1, 20); round += 1) {
			expect(await raceAccountsOnDevice(backing.instances, 12)).toEqual({
				known: perKey,
				failed: 0
			});
		}
	});

	it('four sign-ins at once in one browser leave the presented key worthless', async () => {
		expect(await raceSignInsOnDevice(backing.instances, rounds(5, 100))).toEqual({
			oldKeyWorks: 0,
			newKeyFails: 0,
			failed: 0
		});
	});

	it('B01: of 30 concurrent sends of known devices exactly five are allowed', async () => {
		expect(await raceKnownSends(backing.instances, 30)).toBe(5);
	});

	it('T01: sends of known devices and of unknown clients use up separate places, and get them back', async () => {
		const { user } = await signInOn(stores());
		const { throttle } = stores();
		const mailbox = mailboxOf(ada);
		const hit = async (second: number, chargedKey: Send['chargedKey']) =>
			(await throttle.countSend(aSend(ada, at(second), { chargedKey }), policy)).kind === 'allowed';
		const giveBack = (chargedKey: Send['chargedKey']) =>
			throttle.giveBack(aSend(ada, at(3), { chargedKey }));
		const allowed = [];
		for (const second of [0, 1, 2, 3, 4, 5]) allowed.push(await hit(second, mailbox));
		for (const second of [0, 1, 2, 3, 4, 5]) allowed.push(await hit(second, user.id));
		const six = [true, true, true, true, true, false];
		expect(allowed).toEqual([...six, ...six]);
		await giveBack(user.id);
		expect([await hit(6, mailbox), await hit(6, user.id), await hit(7, user.id)]).toEqual([
			false,
			true,
			false
		]);
		await giveBack(mailbox);
		expect([await hit(8, user.id), await hit(8, mailbox), await hit(9, mailbox)]).toEqual([
			false,
			true,
			false
		]);
	});

	it('the sends of an account’s devices are forgotten with the account', async () => {
		const { user } = await signInOn(stores());
		await stores().throttle.countSend(aSend(ada, at(0), { chargedKey: user.id }), policy);
		await stores().accounts.delete(user.id, at(2));
		await stores().accounts.purge(at(2), 5);
		expect(await backing.rows('throttle')).toBe(0);
	});
});
