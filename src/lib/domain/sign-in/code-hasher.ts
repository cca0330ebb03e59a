import type { Binding, Purpose } from './challenge.ts';
import type { Code } from './code.ts';
import type { Email } from '../email.ts';

/**
 * A code with everything it is bound to. Its hash matches no other purpose, address or binding.
 */
export interface BoundCode {
	readonly purpose: Purpose;
	readonly email: Email;
	readonly boundTo: Binding | null;
	/** The address to be replaced. Absent when none is. */
	readonly from?: Email;
	/** The new address, when the code is not sent there. Otherwise absent. */
	readonly newEmail?: Email;
	readonly code: Code;
}

/** Keyed, salted, slow hashing of codes. A plain hash of so short a code is easy to reverse. */
export interface CodeHasher {
	/** Two hashes of the same code differ. */
	hash(bound: BoundCode): Promise<string>;
	/**
	 * Whether `hash` was made of exactly these values. A wrong code takes as long as the right one.
	 * Never throws on a malformed or empty hash: that matches nothing.
	 */
	matches(hash: string, bound: BoundCode): Promise<boolean>;
}
