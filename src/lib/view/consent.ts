export interface ConsentSettings {
	readonly given: boolean;
	/** When consent was given. Null also if the time was not recorded. */
	readonly givenAt: Date | null;
	/** The email address for withdrawing consent, which these pages do not offer. */
	readonly supportEmail: string | null;
}
