import type { SuperValidated } from 'sveltekit-superforms';
import type { PendingEmailChange } from '#lib/domain/email-change/read-email-change.ts';

/** A change that waits, with a span instead of an instant: a visitor's clock may be wrong. */
export interface WaitingChange {
	readonly to: string;
	readonly way: PendingEmailChange['way'];
	/** Minutes until it expires, rounded up. */
	readonly minutesLeft: number;
}

export interface EmailSettings {
	readonly email: string;
	/** Whether an address can be changed here at all. */
	readonly links: boolean;
	/** Whether this session needs a code from the current address first. */
	readonly reauthentication: boolean;
	/** Where to write when that address is lost. */
	readonly supportEmail: string | null;
	readonly waiting: WaitingChange | null;
	readonly form: SuperValidated<{ email: string; code: string }>;
}
