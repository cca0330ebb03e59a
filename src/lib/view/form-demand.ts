import type { Puzzle } from '#lib/domain/proof/ports.ts';

/** Why a form cannot be sent yet, and for how long. */
export interface FormWait {
	/** Whole seconds. A duration instead of a time, because the visitor's clock may be wrong. */
	readonly seconds: number;
	/** What the form says while the button counts the seconds. */
	readonly reason: string;
	/** Whether the wait is for this email address only, so that another one can be sent at once. */
	readonly endsOnEdit: boolean;
}

/** What a refused form needs before the server does what it asks for. It is the form's message. */
export interface FormDemand {
	/** For the page's script to solve. Null if there is nothing to solve. */
	readonly puzzle: Puzzle | null;
	/** Null if the form can be sent now. */
	readonly wait: FormWait | null;
}
