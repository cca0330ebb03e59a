import type { Email } from '#lib/domain/email.ts';
import type { DevicePlacement } from '#lib/domain/sessions/ports.ts';
import type { SecretHash } from '#lib/domain/secret.ts';
import type { Stores } from '#lib/domain/deps.ts';
import { aSend } from '../../support/domain/builders.ts';
import { askedFor, signIn } from '../account/account-examples.ts';
import { aHash, anEmail, at, policy } from '../stores/examples.ts';
import { atOnce, inRounds, instanceOf, settle, type Instances } from '../stores/races.ts';
import { aDevicePlacement, aProgram, signInOn } from './device-examples.ts';

/*
 * Counts what happens to known devices under concurrent operations. The contract asserts the right
 * numbers on every adapter; the naive twins give wrong ones on the databases.
 */

/** How many of these keys are known for their address. */
const knownOf = async (
	{ devices }: Stores,
	keys: readonly (readonly [SecretHash, Email])[]
): Promise<number> => {
	const known = await Promise.all(keys.map(([key, email]) => devices.knownAccount(key, email)));
	return known.filter((one) => one !== null).length;
};

/** Each address enters a code at once, on its device, beside other work. Returns how many failed. */
const enterAll = async (
	instances: Instances,
	codes: readonly (readonly [Email, DevicePlacement])[]
): Promise<{ readonly failed: number }> => {
	const asked = codes.map(([email, device]) =>
		askedFor(instanceOf(instances, 0), email, { device })
	);
	const enter = await Promise.all(asked);
	return settle(enter.map((one, i) => one(instanceOf(instances, i))));
};

/** One account signs in on many devices at once. Returns how many it has afterwards. */
export const raceDevicesOfAccount = async (instances: Instances, signIns: number) => {
	const first = instanceOf(instances, 0);
	const { email } = (await signIn(first, anEmail())).user;
	const placements = Array.from({ length: signIns }, () => aDevicePlacement());
	const codes = placements.map((device) => [email, device] as const);
	const { failed } = await enterAll(instances, codes);
	const keys = placements.map(({ keyHash }) => [keyHash, email] as const);
	return { known: await knownOf(first, keys), failed };
};

/** Many accounts sign in at once with the key of one program. Returns how many it is known for. */
export const raceAccountsOnDevice = async (instances: Instances, count: number) => {
	const first = instanceOf(instances, 0);
	const key = aHash();
	const emails = Array.from({ length: count }, () => anEmail());
	for (const email of emails) await signIn(first, email);
	const { failed } = await enterAll(
		instances,
		emails.map((email) => [email, aProgram(key)] as const)
	);
	const keys = emails.map((email) => [key, email] as const);
	return { known: await knownOf(first, keys), failed };
};

/**
 * Four accounts sign in at once in one browser, each with its own new key. Counts how often the
 * presented key still worked, and how often an account was not known by the key that it got.
 */
export const raceSignInsOnDevice = inRounds(async (first, _, instances) => {
	const emails = Array.from({ length: 4 }, () => anEmail());
	const presented = aHash();
	for (const email of emails) await signIn(first, email, { device: aProgram(presented) });
	const codes = emails.map(
		(email) => [email, aDevicePlacement({ presentedHashes: [presented] })] as const
	);
	const { failed } = await enterAll(instances, codes);
	const [old, own] = [
		emails.map((email) => [presented, email] as const),
		codes.map(([email, { keyHash }]) => [keyHash, email] as const)
	];
	return {
		oldKeyWorks: await knownOf(first, old),
		newKeyFails: emails.length - (await knownOf(first, own)),
		failed
	};
});

/** Known devices of one account send at once. Returns how many sends are allowed. */
export const raceKnownSends = async (instances: Instances, count: number) => {
	const { user } = await signInOn(instanceOf(instances, 0), {}, anEmail());
	const hits = await atOnce(instances, count, ({ throttle }) =>
		throttle.countSend(aSend(user.email, at(2), { chargedKey: user.id }), policy)
	);
	return hits.filter(({ kind }) => kind === 'allowed').length;
};
