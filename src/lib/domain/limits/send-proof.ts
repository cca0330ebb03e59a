/**
 * What an unknown client showed before a send, already verified: its signature, its lifetime, and
 * that it belongs to this purpose, email address and client. Only its single use is still open.
 * The store records that use in the transaction that counts the send.
 */
export interface SendProof {
	/** A solved challenge costs the client work. A ticket costs it waiting. */
	readonly kind: 'work' | 'ticket';
	/** Identifies the challenge or ticket. It is valid once. */
	readonly id: string;
	/** When the server issued the challenge or ticket. */
	readonly issuedAt: Date;
	/** How much work was proven: the level of the challenge. Zero for a ticket. */
	readonly level: number;
	/** After this time the use need not be remembered, because the proof is refused as expired. */
	readonly expiresAt: Date;
}
