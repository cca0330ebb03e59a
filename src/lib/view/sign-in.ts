import type { SuperValidated } from 'sveltekit-superforms';
import type { PendingCode } from '#lib/domain/sign-in/read-pending-code.ts';

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
}

export interface CodeFlow {
	readonly page: SignInPage;
	/** How consent reaches the server with JavaScript. Null without a consent box. */
	readonly consent: 'own-call' | 'with-code' | null;
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
