import type { SuperValidated } from 'sveltekit-superforms';

export interface ProfileSettings {
	readonly form: SuperValidated<{ name: string }>;
	/** The form contains what was typed before the session ended. It is not saved. */
	readonly isKept: boolean;
}

/** The question for the name of a new account. */
export interface NameQuestion {
	/** What was typed before the session ended. It is not saved. */
	readonly name: string;
}

export interface RefusedName {
	readonly name: string;
	readonly reason: string;
}

export interface DeletionSettings {
	readonly form: SuperValidated<{ sure: boolean }>;
}
