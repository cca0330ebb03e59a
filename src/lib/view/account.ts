import type { SuperValidated } from 'sveltekit-superforms';

export interface ProfileSettings {
	readonly form: SuperValidated<{ name: string }>;
}

export interface DeletionSettings {
	readonly form: SuperValidated<{ sure: boolean }>;
}
