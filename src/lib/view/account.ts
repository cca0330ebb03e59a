import type { SuperValidated } from 'sveltekit-superforms';

export interface ProfileSettings {
	readonly form: SuperValidated<{ name: string }>;
	/** The form contains what was typed before the session ended. It is not saved. */
	readonly isKept: boolean;
}

export interface DeletionSettings {
	readonly form: SuperValidated<{ sure: boolean }>;
}
