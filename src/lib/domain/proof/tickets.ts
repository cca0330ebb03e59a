import { SECRET } from '../secret.ts';
import type { Signer } from '../signer.ts';

/** A ticket with a valid signature. */
export interface Ticket {
	/** Its signature. No other ticket has the same. */
	readonly id: string;
	readonly issuedAt: Date;
}

/** Longer numbers are no instant that a `Date` can hold. */
const INSTANT = /^\d{1,15}$/;

/**
 * A ticket to continue after a wait, for clients that cannot solve a puzzle. The server stores
 * nothing when it issues one. `binding` is the scope of the ticket.
 */
export const newTicket = (signer: Signer, binding: string, issuedAt: Date): string => {
	const instant = String(issuedAt.getTime());
	return `${instant}.${signer.sign(contextOf(binding, instant))}`;
};

/**
 * Null unless the server issued this ticket for this scope. Accepts one spelling of a signature only,
 * because the spelling identifies the ticket.
 */
export const parseTicket = (signer: Signer, binding: string, text: string): Ticket | null => {
	const [instant = '', id = '', ...rest] = text.split('.', 3);
	if (rest.length > 0 || !INSTANT.test(instant) || !SECRET.test(id)) return null;
	if (!signer.verify(id, contextOf(binding, instant))) return null;
	return { id, issuedAt: new Date(Number(instant)) };
};

const contextOf = (binding: string, instant: string): string => `ticket ${instant} ${binding}`;
