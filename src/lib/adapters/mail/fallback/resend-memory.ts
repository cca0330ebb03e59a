import { createHmac, randomBytes } from 'node:crypto';
import type { Email } from '#lib/domain/email.ts';
import type { Mail } from '#lib/domain/mail.ts';
import type { Timing } from '../delivery/usual-duration.ts';

/** The two providers. */
export type ProviderName = 'primary' | 'fallback';

/** The most codes to remember. The oldest is forgotten first. */
const CAPACITY = 10_000;

/** Remembers for each email address which provider took its last code, until it expires. */
export interface ResendMemory {
	/**
	 * The provider that took the last code to the address of this email. Null when there is none that
	 * can still be used, or when this is another attempt to send the same code.
	 */
	earlierOf(mail: Mail): ProviderName | null;
	remember(mail: Mail, provider: ProviderName): void;
	/** The sign-in code of this address was used, so it had arrived. */
	forget(email: Email): void;
}

interface Sent {
	readonly provider: ProviderName;
	readonly at: number;
	readonly until: number;
}

/**
 * In memory, per process. Email addresses are kept as keyed hashes only, and the key is gone with the
 * process.
 */
export const resendMemory = (timing: Timing, capacity = CAPACITY): ResendMemory => {
	const key = randomBytes(32);
	const sent = new Map<string, Sent>();
	const nameOf = (kind: Mail['kind'], email: Email): string =>
		createHmac('sha256', key).update(`${kind} ${email}`).digest('base64url');

	return {
		earlierOf: (mail) => {
			if (!('code' in mail)) return null;
			const earlier = sent.get(nameOf(mail.kind, mail.to));
			if (earlier === undefined || earlier.at === mail.at.getTime()) return null;
			return timing.now() < earlier.until ? earlier.provider : null;
		},
		remember: (mail, provider) => {
			if (!('code' in mail)) return;
			const name = nameOf(mail.kind, mail.to);
			// Moves a known name to the end of the map, which is ordered by age.
			sent.delete(name);
			const until = timing.now() + mail.lifetime * 1_000;
			sent.set(name, { provider, at: mail.at.getTime(), until });
			if (sent.size <= capacity) return;
			for (const oldest of sent.keys()) {
				sent.delete(oldest);
				break;
			}
		},
		forget: (email) => void sent.delete(nameOf('sign_in_code', email))
	};
};
