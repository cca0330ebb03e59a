/** One of the user's sessions, as shown in the settings. */
export interface ShownSession {
	/** Identifies the session in forms. It is not a credential. */
	readonly id: string;
	readonly device: string;
	readonly ipAddress: string;
	readonly signedInAt: Date;
	/** Accurate to one day, because sessions are not written more often. */
	readonly lastActiveAt: Date;
	/** Whether this is the session that made the request. */
	readonly current: boolean;
}
