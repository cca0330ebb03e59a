import type { Binding, Purpose } from './challenge.ts';
import type { Code } from './code.ts';
import type { Email } from '../email.ts';

/** A code with everything it is bound to: a hash of one fits no other purpose, address or holder. */
export interface BoundCode {
	readonly purpose: Purpose;
	readonly email: Email;
	readonly boundTo: Binding | null;
	/** The address that is to be replaced; absent where none is. */
	readonly from?: Email;
	/** The address that is to replace it, where the code does not go there; absent elsewhere. */
	readonly newEmail?: Email;
	readonly code: Code;
}

/** Keyed, salted, slow hashing of codes, which are too short to survive a plain hash. */
export interface CodeHasher {
	/** Two hashes of the same code differ. */
	hash(bound: BoundCode): Promise<string>;
	/** Whether `hash` was made of exactly this; takes as long for a wrong code as for the right one. Never throws on a malformed or empty hash: that matches nothing. */
	matches(hash: string, bound: BoundCode): Promise<boolean>;
}
