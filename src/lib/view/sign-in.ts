import type { SuperValidated } from 'sveltekit-superforms';
import type { PendingCode } from '#lib/domain/sign-in/use-cases.ts';

export interface Inbox {
	readonly name: string;
	readonly url: string;
}

/** The pages on which sign-in starts. */
export type SignInPage = 'sign-in' | 'sign-up' | 'login';

/**
 * The pending code that a page shows. Contains durations instead of times, because the visitor's
 * clock may be wrong.
 */
export interface PendingCodeView {
	/** The checkout page gets it masked: its visitor has not typed it. */
	readonly email: string;
	/** The provider's webmail, if we know it. */
	readonly inbox: Inbox | null;
	readonly state: PendingCode['state'];
	readonly attemptsLeft: number;
	readonly attempts: number;
	/** Whole seconds until the code expires. */
	readonly secondsLeft: number;
	/** Whole seconds until another code may be requested. */
	readonly resendIn: number;
	/** The mail server of the address refused the email. */
	readonly bounced: boolean;
}

/**
 * Keeps the tick of a consent box in the browser. A page with a consent box passes this to the
 * sign-in flow.
 */
export interface Ticks {
	/** Records that the box was ticked for this pending consent. Null removes any tick. */
	remember(pending: string | null): void;
	/** Whether the box was ticked in this tab for this pending consent. */
	has(pending: string | null): boolean;
	/**
	 * Gives the consent that was ticked in this tab. The mark at the end of `marked` names the
	 * pending consent of the account that signed in; it must be the same. Returns the redirect target
	 * without the mark.
	 */
	give(marked: string): Promise<string>;
}

export interface CodeFlow {
	readonly page: SignInPage;
	/** The text of the consent box. Null without one. */
	readonly consent: string | null;
	/** Id of the consent that may be pending for the code's email address, or null. */
	readonly pendingConsent: string | null;
	readonly step: 'email' | 'code';
	readonly pendingCode: PendingCodeView | null;
	readonly resent: boolean;
	/** The query that keeps the target after sign-in. Add it to every action and link. */
	readonly keepQuery: string;
	readonly emailForm: SuperValidated<{ email: string; consent: boolean }>;
	readonly codeForm: SuperValidated<{ email: string; code: string }>;
	readonly resendForm: SuperValidated<{ email: string }>;
}
