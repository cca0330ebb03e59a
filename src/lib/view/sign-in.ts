import type { SuperValidated } from 'sveltekit-superforms';
import type { PendingCode } from '#lib/domain/sign-in/read-pending-code.ts';

export interface Inbox {
	readonly name: string;
	readonly url: string;
}

/** The pages on which the flow begins. */
export type Entry = 'sign-in' | 'sign-up' | 'login';

/** The code a page waits for, with spans instead of instants: a visitor's clock may be wrong. */
export interface WaitingCode {
	/** Masked where the visitor need not know it. */
	readonly email: string;
	/** Where its mail is read in a browser, if we know. */
	readonly inbox: Inbox | null;
	readonly state: PendingCode['state'];
	readonly attemptsLeft: number;
	readonly attempts: number;
	/** Whole seconds the code still lives. */
	readonly secondsLeft: number;
	/** Whole seconds until another one may be asked for. */
	readonly resendIn: number;
}

export interface CodeFlow {
	readonly entry: Entry;
	/** How the consent that is asked for here reaches the server where script runs; null where none is asked for. */
	readonly consent: 'own-call' | 'with-code' | null;
	/** Names the consent that may be pending for the email address of the code; null for none. */
	readonly pendingConsent: string | null;
	readonly step: 'email' | 'code';
	readonly waiting: WaitingCode | null;
	readonly resent: boolean;
	/** The query that keeps where the person was going; to be added to every action and link. */
	readonly keepQuery: string;
	readonly emailForm: SuperValidated<{ email: string; consent: boolean }>;
	readonly codeForm: SuperValidated<{ email: string; code: string }>;
	readonly resendForm: SuperValidated<{ email: string }>;
}
