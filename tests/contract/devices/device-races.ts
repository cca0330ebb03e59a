import type { DeviceChange } from '#lib/domain/known-device.ts';
import type { Hit } from '#lib/domain/limits/ports.ts';
import type { Stores } from '#lib/domain/stores.ts';
import { aSend } from '../../support/domain/builders.ts';
import { askedFor, signIn } from '../account/account-examples.ts';
import { aHash, anEmail, at, policy } from '../stores/examples.ts';
import { comparing, instanceOf, type Instances } from '../stores/races.ts';
import { aDeviceChange, aProgram, refreshOn, signInOn } from './device-examples.ts';

/*
 * Counts what happens to known devices under concurrent operations. The contract asserts the right
 * numbers on every adapter; the naive twins give wrong ones on the databases.
 */

const outcomeOf = async (
	racing: readonly Promise<unknown>[]
): Promise<{ failed: number; values: unknown[] }> => {
	const outcomes = await Promise.allSettled(racing);
	const values = outcomes.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
	return { failed: outcomes.length - values.length, values };
};

/** How many of these keys are known for an address. */
const knownOf = async (
	{ devices }: Stores,
	changes: readonly DeviceChange[],
	email: ReturnType<typeof anEmail>
): Promise<number> => {
	let known = 0;
	for (const { keyHash } of changes) {
		if ((await devices.knownAccount(keyHash, email)) !== null) known += 1;
	}
	return known;
};

/**
 * One account signs in on many devices at once, while other sessions of it get one by their refresh.
 * Returns how many it has afterwards.
 */
export const raceDevicesOfAccount = async (
	instances: Instances,
	{ signIns, refreshes: refreshed }: { readonly signIns: number; readonly refreshes: number }
) => {
	const first = instanceOf(instances, 0);
	const email = anEmail();
	await signIn(first, email);
	const changes = Array.from({ length: signIns }, () => aDeviceChange());
	const enter = await Promise.all(changes.map((device) => askedFor(first, email, { device })));
	const refreshes = Array.from({ length: refreshed }, () => aDeviceChange({ keepsKnownKey: true }));
	const older = [];
	for (const _ of refreshes) older.push(await signIn(first, email));
	const { failed } = await outcomeOf([
		...enter.map((one, i) => one(instanceOf(instances, i))),
		...older.map((one, i) => refreshOn(instanceOf(instances, i), one, refreshes[i]))
	]);
	return { known: await knownOf(first, [...changes, ...refreshes], email), failed };
};

/** Many accounts sign in at once with the key of one program. Returns how many it is known for. */
export const raceAccountsOnDevice = async (instances: Instances, count: number) => {
	const first = instanceOf(instances, 0);
	const key = aHash();
	const emails = Array.from({ length: count }, () => anEmail());
	for (const email of emails) await signIn(first, email);
	const enter = await Promise.all(
		emails.map((email) => askedFor(first, email, { device: aProgram(key) }))
	);
	const { failed } = await outcomeOf(enter.map((one, i) => one(instanceOf(instances, i))));
	let known = 0;
	for (const email of emails) {
		if ((await first.devices.knownAccount(key, email)) !== null) known += 1;
	}
	return { known, failed };
};

/**
 * Four accounts sign in at once in one browser, each with its own new key. Returns how often the
 * presented key still worked, and how often an account was not known by the key that it got.
 */
export const raceSignInsOnDevice = async (instances: Instances, rounds: number) => {
	let [oldKeyWorks, newKeyFails, failed] = [0, 0, 0];
	const first = instanceOf(instances, 0);
	for (let round = 0; round < rounds; round += 1) {
		const emails = Array.from({ length: 4 }, () => anEmail());
		const presented = aHash();
		for (const email of emails) await signIn(first, email, { device: aProgram(presented) });
		const changes = emails.map(() => aDeviceChange({ presentedHashes: [presented] }));
		const enter = await Promise.all(
			emails.map((email, i) => askedFor(first, email, { device: changes[i] ?? null }))
		);
		failed += (await outcomeOf(enter.map((one, i) => one(instanceOf(instances, i))))).failed;
		for (const [i, email] of emails.entries()) {
			if ((await first.devices.knownAccount(presented, email)) !== null) oldKeyWorks += 1;
			const own = changes[i]?.keyHash ?? presented;
			if ((await first.devices.knownAccount(own, email)) === null) newKeyFails += 1;
		}
	}
	return { oldKeyWorks, newKeyFails, failed };
};

/** A session is ended while a refresh gives it a device. Returns how many devices are left. */
export const raceEndBesideRefresh = async (instances: Instances, rounds: number) => {
	let [left, failed] = [0, 0];
	const first = instanceOf(instances, 0);
	for (let round = 0; round < rounds; round += 1) {
		const signedIn = await signIn(first, anEmail());
		const fresh = aDeviceChange({ keepsKnownKey: true });
		const turns = async (count: number): Promise<void> => {
			for (let turn = 0; turn < count; turn += 1) await comparing();
		};
		const { failed: faults } = await outcomeOf([
			turns(round % 3).then(() => refreshOn(first, signedIn, fresh)),
			turns(round % 4).then(() =>
				instanceOf(instances, 1).sessions.endOne(signedIn.user.id, signedIn.session.id)
			)
		]);
		failed += faults;
		const { email } = signedIn.user;
		if ((await first.devices.knownAccount(fresh.keyHash, email)) !== null) left += 1;
	}
	return { left, failed };
};

/** Known devices of one account send at once. Returns how many sends are allowed. */
export const raceKnownSends = async (instances: Instances, count: number) => {
	const { user } = await signInOn(instanceOf(instances, 0), {}, anEmail());
	const { values } = await outcomeOf(
		Array.from({ length: count }, (_, i) =>
			instanceOf(instances, i).throttle.hit(aSend(user.email, at(2), { knownAs: user.id }), policy)
		)
	);
	return (values as Hit[]).filter(({ kind }) => kind === 'allowed').length;
};
