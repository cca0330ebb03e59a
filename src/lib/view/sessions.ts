/** One of the user's sessions, as shown on the account page and in the settings. */
export interface ShownSession {
	/** Identifies the session in forms. It is not a credential. */
	readonly id: string;
	/** Browser and system. */
	readonly device: string;
	/** The kind of device, such as `Phone`. Null if it is unknown. */
	readonly kind: string | null;
	readonly ipAddress: string;
	readonly signedInAt: Date;
	/** Accurate to one day, because sessions are not written more often. */
	readonly lastActiveAt: Date;
	/** Whether this is the session that made the request. */
	readonly current: boolean;
}

/** A page of the user's sessions, as shown in the settings. */
export interface ShownSessions {
	/** The current session is the first one of the first page. The others are in order of last use. */
	readonly rows: readonly ShownSession[];
	/** From 1 to `pages`. */
	readonly page: number;
	readonly pages: number;
	/** The sessions on all pages. */
	readonly total: number;
}
