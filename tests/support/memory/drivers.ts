import { createHash } from 'node:crypto';
import type { Ids } from '#lib/domain/ids.ts';
import type { Pacer } from '#lib/domain/pacer.ts';
import type { Random } from '#lib/domain/ports.ts';
import type { SecretHash, SecretHasher, SecretHashes } from '#lib/domain/secret.ts';
import type { BoundCode, CodeHasher } from '#lib/domain/sign-in/ports.ts';

/** A clock that moves only when a test moves it. */
export const fixedClock = (start: Date = new Date('2026-01-01T00:00:00.000Z')) => {
	let time = start.getTime();
	let jumped = 0;
	return {
		// A new Date each time. Dates are mutable, so a shared one could change for other callers.
		now: (): Date => new Date(time),
		set: (instant: Date): void => void (time = instant.getTime()),
		/** Moves the time by `seconds`, which can be negative or a fraction. */
		advance: (seconds: number): void => void (time += seconds * 1000),
		/** The monotonic clock of the same process. */
		monotonic: (): number => time - jumped,
		/** Sets the clock, as an operator does. No time passes. */
		jump: (seconds: number): void => {
			time += seconds * 1000;
			jumped += seconds * 1000;
		}
	};
};

export type FixedClock = ReturnType<typeof fixedClock>;

/** Valid, ascending and readable UUIDs of version 7: `…-000000000001`, `…-000000000002`, … */
export const countingIds = (): Ids => {
	let last = 0;
	return {
		next: () => {
			last += 1;
			return `00000000-0000-7000-8000-${last.toString(16).padStart(12, '0')}`;
		}
	};
};

/** Knuth's multiplier, which mixes the bits well. Any odd constant works. */
const MULTIPLIER = 2654435761;

/**
 * Returns the given bytes, then a deterministic stream that does not repeat for 2^32 bytes. So a
 * test can choose the next code and still draw any number of bytes. Never for production.
 */
export const scriptedRandom = (script: Iterable<number> = []): Random => {
	const bytes = Uint8Array.from(script);
	let drawn = 0;
	const next = (): number => {
		const position = drawn;
		drawn += 1;
		const scripted = bytes[position];
		if (scripted !== undefined) return scripted;
		// The finaliser of MurmurHash3, applied to a counter.
		let mixed = Math.imul(position + 1, MULTIPLIER);
		mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
		mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
		return (mixed ^ (mixed >>> 16)) & 0xff;
	};
	return { bytes: (count) => Uint8Array.from({ length: count }, next) };
};

const digest = (parts: readonly (string | null)[]): string =>
	createHash('sha256').update(JSON.stringify(parts)).digest('base64url');

/**
 * Keyed and salted, as the port requires, but fast. For tests only: it does not protect a stolen
 * table.
 */
export const plainCodeHasher = (...keys: readonly string[]): CodeHasher => {
	const [current = 'a key', ...earlier] = keys;
	let salts = 0;
	const hashed = (key: string, salt: string, bound: BoundCode): string => {
		const { purpose, email, boundTo, from = null, newEmail = null, code } = bound;
		return `${salt}.${digest([key, salt, purpose, email, boundTo, from, newEmail, code])}`;
	};
	return {
		hash: async (bound) => hashed(current, String((salts += 1)), bound),
		matches: async (hash, bound) => {
			const [salt = ''] = hash.split('.');
			return [current, ...earlier].some((key) => hashed(key, salt, bound) === hash);
		}
	};
};

/** Keyed, as the port requires, with the newest key first. For tests only. */
export const plainSecretHasher = (...keys: readonly string[]): SecretHasher => {
	const [current = 'a key', ...earlier] = keys;
	const hash = (...parts: readonly string[]) => digest(parts) as SecretHash;
	const all = (...parts: readonly string[]): SecretHashes => [
		hash(current, ...parts),
		...earlier.map((key) => hash(key, ...parts))
	];
	return {
		ofToken: (token) => all('token', token),
		ofRestoreToken: (token) => all('restore', token),
		ofDevice: ({ kind, key }) => all('device', kind, key),
		ofUnsubscribeToken: (token) => hash('unsubscribe', token),
		ofCodeKey: (codeKey) => hash('browser', codeKey),
		ofProgramKey: (clientKey) => hash('client', clientKey)
	};
};

/** Runs long jobs without pauses. */
export const restlessPacer: Pacer = { paced: (piece) => piece() };

/** Starts work as soon as its caller awaits. A test can wait for it with `flush`. */
export const backgroundWork = () => {
	const failures: { name: string; error: unknown }[] = [];
	const pending = new Set<Promise<void>>();
	return {
		/** The failures so far. */
		failures,
		run: (name: string, work: () => Promise<void>) => {
			const running = Promise.resolve()
				.then(work)
				.catch((error: unknown) => void failures.push({ name, error }))
				.finally(() => pending.delete(running));
			pending.add(running);
		},
		/** Resolves once nothing is pending, including work added meanwhile. */
		flush: async () => {
			while (pending.size > 0) await Promise.all(pending);
		}
	};
};

export type BackgroundWork = ReturnType<typeof backgroundWork>;
