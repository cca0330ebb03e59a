export type LogFields = Readonly<Record<string, string | number | boolean | null>>;

export interface Log {
	/** Logs an expected event, such as a sign-in or a refused request. */
	event(name: string, fields?: LogFields): void;
	fault(where: string, fault: unknown, fields?: LogFields): void;
}

/** The only source of randomness in the domain. */
export interface Random {
	/** `count` bytes from a cryptographic source. */
	bytes(count: number): Uint8Array;
}

/** Signs texts, to prove later that we made them. */
export interface Signer {
	sign(text: string): string;
	/** In constant time. False for anything but a signature of this text. Never throws. */
	verify(signature: string, text: string): boolean;
}

/** For data that others store for us. Without the key, nobody can read or change it. */
export interface Sealer {
	/**
	 * `context` is what the text belongs to. The result does not hold it, but `open` needs it. Two
	 * seals of the same text differ.
	 */
	seal(text: string, context: string): string;
	/** Null for anything that we did not seal for this context. Never throws. */
	open(sealed: string, context: string): string | null;
}

/** Converts internationalised domain names. */
export interface DomainNames {
	/**
	 * The ASCII form of a domain by the rules of UTS 46 as browsers apply them, in lower case. Null
	 * when the text is not a domain name. The ASCII form of an ASCII form is itself.
	 */
	toAscii(domain: string): string | null;
}
