import { randomBytes } from 'node:crypto';
import { addressIn, enterCode, requestCode, type Client, type Response } from './api.ts';
import { OWNERS, type Site } from './site.ts';
import { cheapAnswer, levelOf } from './solver.ts';
import type { VirtualTime } from './virtual-time.ts';

/** An account whose owner has a known device. */
export interface Owner {
	readonly email: string;
	readonly device: Client;
}

/** What the owners achieved during an attack. */
export interface Outcome {
	/** Real milliseconds of each sign-in with a known device. Null for one that failed. */
	readonly known: (number | null)[];
	/** Seconds until each owner with a new device was signed in. Infinity for those who were not. */
	readonly waits: number[];
	/** The first refusals of known devices, to find their cause. */
	readonly refusals: string[];
}

export const emptyOutcome = (): Outcome => ({ known: [], waits: [], refusals: [] });

/** A sign-in with a known device must take no longer, in milliseconds. */
export const IN_TIME = 5000;

let clients = 0;

/** A browser or app in a network of its own, with a key that no other has. */
const newClient = (): Client => {
	clients += 1;
	const key = randomBytes(32).toString('base64url');
	return { address: addressIn(20 + (clients >> 16), clients & 0xffff, clients), key };
};

/** Signs in once, before the attack. */
export const makeOwner = async (site: Site, name: string): Promise<Owner> => {
	const owner = { email: `${name}${OWNERS}`, device: newClient() };
	const refusal = await trySignIn(site, owner);
	if (refusal !== null) throw new Error(`no account for ${owner.email}: ${refusal}`);
	return owner;
};

/** Null after a sign-in. Otherwise the refusal. */
const trySignIn = async (site: Site, { email, device }: Owner): Promise<string | null> => {
	const sent = await requestCode(site.server, email, device);
	if (sent.status !== 200) return `send ${sent.status} ${sent.text}`;
	const code = await site.mail.codeFor(email);
	if (code === null) return 'no email';
	const { status, text } = await enterCode(site.server, email, code, device);
	return status === 200 ? null : `check ${status} ${text}`;
};

/** Signs in with the known device at these seconds. */
export const useKnownDevice = (
	site: Site,
	time: VirtualTime,
	owner: Owner,
	seconds: readonly number[],
	{ known, refusals }: Outcome
): void => {
	for (const second of seconds) {
		time.at(second, async () => {
			const began = performance.now();
			const refusal = await trySignIn(site, owner);
			known.push(refusal === null ? performance.now() - began : null);
			if (refusal !== null && refusals.length < 3) refusals.push(refusal);
		});
	}
};

/** A phone solves level 0 in a second, and each level takes twice as long. */
const phoneSeconds = (level: number): number => 2 ** level;

/**
 * An owner on a new device. The owner proves the work that the page asks for, and comes back when
 * the page says so.
 */
export const useNewDevice = (
	site: Site,
	time: VirtualTime,
	email: string,
	arrival: number,
	{ waits }: Outcome
): void => {
	const client = newClient();
	const index = waits.push(Infinity) - 1;
	/** When to try again. Null after a success. */
	const again = async (
		{ status, retryAfter, challenge }: Response,
		step: (proof?: string) => Promise<void>
	): Promise<void> => {
		if (status === 403 && challenge !== null) {
			const proof = await cheapAnswer(challenge);
			time.at(time.now() + phoneSeconds(levelOf(challenge)), () => step(proof));
		} else time.at(time.now() + Math.max(1, retryAfter), () => step());
	};
	const send = async (proof?: string): Promise<void> => {
		const answer = await requestCode(site.server, email, { ...client, ...(proof && { proof }) });
		if (answer.status === 200) return check();
		return again(answer, send);
	};
	const check = async (proof?: string): Promise<void> => {
		const code = (await site.mail.codeFor(email)) ?? '';
		const answer = await enterCode(site.server, email, code, {
			...client,
			...(proof && { proof })
		});
		if (answer.status === 200) waits[index] = Math.max(0, time.now() - arrival);
		else if (answer.status === 403 || answer.status === 429) return again(answer, check);
		else return again(answer, send);
	};
	time.at(arrival, () => send());
};
