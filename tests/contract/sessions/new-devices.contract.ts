import { describe, expect, it } from 'vitest';
import type { DeviceId } from '#lib/domain/ids.ts';
import type { DevicePlacement, Session } from '#lib/domain/sessions/ports.ts';
import { askedFor, signIn, type EnteringOf } from '../account/account-examples.ts';
import { anOutboxRow } from '../delivery/outbox-examples.ts';
import { aHash, anEmail, at, ada, bob, newSessionId, policy } from '../stores/examples.ts';
import { atOnce } from '../stores/races.ts';
import { storeContract } from '../stores/suite.ts';
import { move } from '../email-change/email-change-races.ts';
import { aDevicePlacement, aProgram } from './device-examples.ts';

const day = 24 * 3600;
const newDeviceId = (): DeviceId => newSessionId() as string as DeviceId;

/** Which sign-ins are reported to the owner, and what the link of a report ends. */
export const newDevicesContract = storeContract('new devices', (backing) => {
	const stores = () => backing.stores;
	const enter = (but: EnteringOf = {}, email = ada) =>
		signIn(stores(), email, { newDeviceMails: [anOutboxRow()], ...but });
	const queued = () => backing.rows('outboxRows');
	const isReported = async (but: EnteringOf = {}, email = ada): Promise<boolean> =>
		(await enter(but, email)).isReported;

	it('T08: the first sign-in of an account is not reported, and each new device is', async () => {
		expect(await isReported({ device: aDevicePlacement() })).toBe(false);
		expect(await isReported({ device: aDevicePlacement() })).toBe(true);
		expect(await queued()).toBe(1);
		expect(await isReported({ device: aProgram() })).toBe(true);
		expect(await queued()).toBe(2);
		expect(await isReported({ device: aDevicePlacement() }, bob)).toBe(false);
	});

	it('a known device is not reported, nor one of another account alone accepted', async () => {
		const [browser, program] = [aDevicePlacement(), aProgram()];
		await enter({ device: browser });
		await enter({ device: program });
		const again = aDevicePlacement({ presentedHashes: [browser.keyHash] });
		expect(await isReported({ device: again })).toBe(false);
		const before = await queued();
		expect(await isReported({ device: program })).toBe(false);
		expect(await queued()).toBe(before);
		await enter({}, bob);
		const bobs = aDevicePlacement({ presentedHashes: [again.keyHash] });
		expect(await isReported({ device: bobs }, bob)).toBe(true);
	});

	describe('a sign-in with an unknown key that replaces a session', () => {
		/** Opens a session, and replaces it. */
		const isReplacingReported = async (
			device: DevicePlacement | null,
			{ of = ada, now = at(2) } = {}
		): Promise<boolean> => {
			const tokenHash = aHash();
			await enter({ device, tokenHash }, of);
			return isReported({ device: aDevicePlacement(), replaces: tokenHash, now });
		};

		it('is not reported if the session is live and its device is known', async () => {
			await enter();
			expect(await isReplacingReported(aDevicePlacement())).toBe(false);
			expect(await isReplacingReported(aDevicePlacement(), { of: bob })).toBe(true);
			const now = at(1 + policy.session.lifetime);
			expect(await isReplacingReported(aDevicePlacement(), { now })).toBe(true);
		});

		it('is reported if the session has no device, or one that was forgotten', async () => {
			await enter();
			expect(await isReplacingReported(null)).toBe(true);
			const tokenHash = aHash();
			await enter({ device: aDevicePlacement(), tokenHash });
			await stores().devices.prune(at(1), 10);
			expect(await isReported({ device: aDevicePlacement(), replaces: tokenHash })).toBe(true);
		});
	});

	it('a restored account knows no device, so its sign-in is reported', async () => {
		const device = aProgram();
		const { user } = await enter({ device });
		await stores().accounts.delete(user.id, at(2));
		const restoring = { device, now: at(3), ifDeleted: { then: 'restore' } } as const;
		expect(await isReported(restoring)).toBe(true);
	});

	it('where nothing is reported, nothing is counted either', async () => {
		await enter();
		expect(await isReported({ newDeviceMails: [] })).toBe(false);
		expect(await isReported()).toBe(true);
	});

	it('T08: without a key, one sign-in of an account is reported in a day', async () => {
		await enter();
		await enter({}, bob);
		const midnight = at(12 * 3600);
		const told = [];
		for (const now of [at(2), at(3), new Date(midnight.getTime() - 1), midnight, at(day)]) {
			told.push(await isReported({ now }));
		}
		expect(told).toEqual([true, false, false, true, false]);
		expect(await isReported({ now: at(3) }, bob)).toBe(true);
		expect(await isReported({ now: at(4), device: aDevicePlacement() })).toBe(true);
	});

	it('T08: of 12 sign-ins at once without a key one is reported', async () => {
		const email = anEmail();
		await enter({}, email);
		const asked = Array.from({ length: 12 }, () =>
			askedFor(stores(), email, { newDeviceMails: [anOutboxRow()] })
		);
		const codes = await Promise.all(asked);
		const all = await atOnce(backing.instances, 12, async (instance, i) => codes[i]?.(instance));
		const told = all.filter((one) => one?.kind === 'signed_in' && one.isReported);
		expect([all.length, told.length, await queued()]).toEqual([12, 1, 1]);
	});

	describe('the link of a report', () => {
		const onDevice = (id = newSessionId(), device: DeviceId | null = null, now = at(2)) =>
			stores().sessions.onDevice(id, device, now);
		const inUse = (session: Session) => {
			const { userAgent, updatedAt: usedAt } = session;
			return { session, device: { userAgent, usedAt } };
		};

		it('shows the session while it lives, and whether the device is known', async () => {
			const device = aDevicePlacement({ userAgent: 'a browser' });
			const tokenHash = aHash();
			const { session } = await enter({ device, tokenHash });
			expect(await onDevice(session.id, device.id)).toEqual(inUse(session));
			expect(await onDevice(session.id)).toEqual(inUse(session));
			expect(await onDevice(session.id, device.id, session.expiresAt)).toMatchObject({
				session: null
			});
			await stores().sessions.end(tokenHash);
			expect(await onDevice(session.id, device.id)).toEqual({
				session: null,
				device: { userAgent: 'a browser', usedAt: device.usedAt }
			});
			expect(await onDevice()).toEqual({ session: null, device: null });
		});

		it('T09: ends every session of the account on the device, and forgets the device', async () => {
			const device = aProgram();
			const first = await enter({ device });
			const second = await enter({ device });
			const elsewhere = await enter({ device: aDevicePlacement() });
			const bobs = aProgram(device.keyHash);
			const bob_ = await enter({ device: bobs }, bob);
			const { sessions } = stores();
			const ended = await sessions.endOnDevice(null, device.id);
			expect([...ended].sort()).toEqual([first.session.id, second.session.id].sort());
			expect(await onDevice(first.session.id, device.id)).toEqual({
				session: null,
				device: null
			});
			for (const { session, user } of [elsewhere, bob_]) {
				expect(await sessions.listOf(user.id, at(2))).toMatchObject([session]);
			}
			expect(await stores().devices.knownAccount(bobs.keyHash, bob)).toBe(bob_.user.id);
			expect(await sessions.endOnDevice(first.session.id, device.id)).toEqual([]);
		});

		it('forgets the device of a session that has ended, and ends a later one on it', async () => {
			const device = aDevicePlacement();
			const tokenHash = aHash();
			const first = await enter({ device, tokenHash });
			const again = aDevicePlacement({ presentedHashes: [device.keyHash] });
			const { session } = await enter({ device: again, replaces: tokenHash });
			const { sessions } = stores();
			expect(await onDevice(first.session.id, device.id)).toEqual(inUse(session));
			expect(await sessions.endOnDevice(first.session.id, device.id)).toEqual([session.id]);
			expect(
				await isReported({ device: aDevicePlacement({ presentedHashes: [again.keyHash] }) })
			).toBe(true);
		});

		it('T09: ends the sessions on a device that a change of address had made unknown', async () => {
			const first = aDevicePlacement();
			await enter({ device: first });
			const owner = await enter({ device: aDevicePlacement() });
			const to = anEmail();
			await move(stores(), owner, to);
			const device = aDevicePlacement({ presentedHashes: [first.keyHash] });
			const signedIn = await enter({ device }, to);
			expect(signedIn.isReported).toBe(true);
			const again = aDevicePlacement({ presentedHashes: [device.keyHash] });
			const { session } = await enter({ device: again }, to);
			const { devices, sessions } = stores();
			expect(await sessions.endOnDevice(signedIn.session.id, device.id)).toEqual([session.id]);
			expect(await devices.knownAccount(again.keyHash, to)).toBeNull();
		});

		it('T09: ends the session of a client that replaced the reported one with another key', async () => {
			await enter();
			const [device, changed, tokenHash] = [aProgram(), aProgram(), aHash()];
			const first = await enter({ device, tokenHash });
			const second = await enter({ device: changed, replaces: tokenHash });
			expect([first.isReported, second.isReported]).toEqual([true, false]);
			expect(await onDevice(second.session.id, device.id)).toEqual(inUse(second.session));
			const { devices, sessions } = stores();
			expect(await devices.knownAccount(device.keyHash, ada)).toBeNull();
			expect(await devices.knownAccount(changed.keyHash, ada)).toBe(first.user.id);
			expect(await sessions.endOnDevice(first.session.id, device.id)).toEqual([second.session.id]);
			expect(await devices.knownAccount(changed.keyHash, ada)).toBeNull();
		});

		it('T09: still ends the others on its device when one was replaced on another known device', async () => {
			const [device, known, tokenHash] = [aProgram(), aProgram(), aHash()];
			const first = await enter({ device, tokenHash });
			const other = await enter({ device });
			await enter({ device: known });
			const { session } = await enter({ device: known, replaces: tokenHash });
			const { sessions } = stores();
			expect(await sessions.endOnDevice(first.session.id, device.id)).toEqual([other.session.id]);
			expect(await onDevice(session.id, known.id)).toEqual(inUse(session));
		});

		it('ends a session without a device', async () => {
			const signedIn = await enter();
			const other = await enter({ device: aDevicePlacement() });
			const { sessions } = stores();
			expect(await sessions.endOnDevice(signedIn.session.id, null)).toEqual([signedIn.session.id]);
			expect(await sessions.listOf(other.user.id, at(2))).toMatchObject([other.session]);
		});

		it('T09: ends a later session on a device that was dropped, because the account had too many', async () => {
			const device = aDevicePlacement();
			const tokenHash = aHash();
			const first = await enter({ device, tokenHash });
			const again = aDevicePlacement({ presentedHashes: [device.keyHash] });
			const { session } = await enter({ device: again, replaces: tokenHash });
			const newer = aDevicePlacement({ limits: { ...policy.devices, perAccount: 1 } });
			const elsewhere = await enter({ device: newer });
			const { sessions, devices } = stores();
			expect(await devices.knownAccount(again.keyHash, ada)).toBeNull();
			expect(await onDevice(first.session.id, device.id)).toEqual(inUse(session));
			expect(await onDevice(first.session.id, device.id, session.expiresAt)).toMatchObject({
				session: null
			});
			expect(await sessions.endOnDevice(first.session.id, device.id)).toEqual([session.id]);
			expect(await onDevice(first.session.id, device.id)).toMatchObject({ device: null });
			expect(await sessions.listOf(first.user.id, at(2))).toMatchObject([elsewhere.session]);
		});

		it('does nothing for a session and a device that are gone, or without either', async () => {
			const { user, session } = await enter({ device: aDevicePlacement() });
			const { sessions } = stores();
			expect(await sessions.endOnDevice(null, null)).toEqual([]);
			expect(await sessions.endOnDevice(newSessionId(), newDeviceId())).toEqual([]);
			expect(await sessions.listOf(user.id, at(2))).toMatchObject([session]);
		});
	});
});
