import type { Challenge } from '../../sign-in/challenge.ts';

/** A code that was sent by email, and when it was requested. */
export type EmailedCode = Pick<Challenge, 'email' | 'createdAt'>;

/**
 * Learns what became of emailed codes, to count it for the mail hosts of their recipients. A call
 * neither waits nor fails, and keeps no address.
 */
export interface CodeReceipts {
	/** A right code was used up, so its email had arrived. */
	entered(code: EmailedCode & Pick<Challenge, 'purpose'>): void;
	/** The email of a code came back after the mail provider had taken it. */
	refused(code: EmailedCode): void;
}

const nothing = (): void => undefined;

/** Where nothing is counted. */
export const noReceipts: CodeReceipts = { entered: nothing, refused: nothing };
