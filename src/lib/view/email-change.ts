import type { SuperValidated } from 'sveltekit-superforms';
import type { PendingEmailChange } from '#lib/domain/email-change/use-cases.ts';

/**
 * A pending email change. Contains a duration instead of a time, because the visitor's clock may be
 * wrong.
 */
export interface WaitingChange {
	readonly to: string;
	readonly way: PendingEmailChange['way'];
	/** Whole minutes until it expires, rounded up. */
	readonly minutesLeft: number;
}

/** The page of the link that undoes an email change. `unknown`: the link is not valid, or no longer. */
export type UndoPage =
	| {
			readonly state: 'asks';
			/** The old address, which gets the account back. */
			readonly to: string;
			/** The address that the account has now, masked. */
			readonly from: string;
			readonly until: Date;
	  }
	| { readonly state: 'unknown' };

export interface EmailSettings {
	readonly email: string;
	/** Whether this installation allows email changes here. */
	readonly links: boolean;
	/** Whether this session must first enter a code from the current email address. */
	readonly reauthentication: boolean;
	/** For how many minutes after its sign-in a session needs none. */
	readonly freshMinutes: number;
	/** Where to write if the person has lost access to the current email address. */
	readonly supportEmail: string | null;
	readonly waiting: WaitingChange | null;
	/** The form contains what was typed before the session ended. It was not sent. */
	readonly isKept: boolean;
	readonly form: SuperValidated<{ email: string; code: string }>;
}
