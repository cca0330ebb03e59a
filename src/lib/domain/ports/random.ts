/** The only way chance enters the domain. */
export interface Random {
	/** `count` bytes from a cryptographic source. */
	bytes(count: number): Uint8Array;
}
