import { createHmac, randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Email, Purpose } from '#lib/domain/index.ts';
import type { Timing } from '../delivery/usual-duration.ts';

/** The most codes to remember. */
const CAPACITY = 10_000;

/** A code of an email, and how long it can be used, in seconds. */
export interface OpenCode {
	readonly purpose: Purpose;
	readonly email: Email;
	readonly requestedAt: Date;
	readonly lifetime: number;
}

/** Remembers which codes were sent and neither used nor expired. */
export interface OpenCodes {
	/**
	 * Remembers a code. Returns `same` if this code was sent before, `again` if an earlier code for
	 * the same purpose and address is still open, otherwise `first`.
	 */
	sent(code: OpenCode): 'first' | 'again' | 'same';
	used(code: Pick<OpenCode, 'purpose' | 'email'>): void;
}

/**
 * In memory, per process. Email addresses are kept as keyed hashes only, and the key is gone with
 * the process.
 */
export const openCodes = (timing: Timing): OpenCodes => {
	const key = randomBytes(32);
	const open = new LRUCache<string, { readonly at: number; readonly until: number }>({
		max: CAPACITY
	});
	const nameOf = ({ purpose, email }: Pick<OpenCode, 'purpose' | 'email'>): string =>
		createHmac('sha256', key).update(`${purpose} ${email}`).digest('base64url');

	return {
		sent: (code) => {
			const name = nameOf(code);
			const earlier = open.get(name);
			const at = code.requestedAt.getTime();
			const until = timing.now() + code.lifetime * 1_000;
			open.set(name, { at, until });
			if (earlier === undefined) return 'first';
			if (earlier.at === at) return 'same';
			return timing.now() < earlier.until ? 'again' : 'first';
		},
		used: (code) => void open.delete(nameOf(code))
	};
};
