/** The only source of randomness in the domain. */
export interface Random {
	/** `count` bytes from a cryptographic source. */
	bytes(count: number): Uint8Array;
}
