export interface ConsentSettings {
	readonly given: boolean;
	/** When; null too where that was never noted. */
	readonly givenAt: Date | null;
	/** Where to write to take it back, which these pages do not offer. */
	readonly supportEmail: string | null;
}
