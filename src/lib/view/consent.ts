/** One decision of a person, as the settings show it. */
export interface ShownConsent {
	readonly id: string;
	readonly action: 'granted' | 'withdrawn';
	readonly at: Date;
	readonly source: 'page' | 'app' | 'complaint';
	/** The route of the page or of the call. */
	readonly place: string | null;
	/** What the person read, if it is known. */
	readonly wording: string | null;
	/** The email address of the account at that time. */
	readonly email: string | null;
}

/** The page of an unsubscribe link. `unknown`: the link belongs to no account. */
export interface UnsubscribePage {
	readonly state: 'asks' | 'done' | 'unknown';
}

export interface ConsentSettings {
	readonly given: boolean;
	/** When consent was given. Null also if the time was not recorded. */
	readonly givenAt: Date | null;
	/** Newest first. */
	readonly history: readonly ShownConsent[];
}
