/** A device an account is signed in on, as its owner sees it. */
export interface ShownSession {
	/** Names the session in forms; it is no credential. */
	readonly id: string;
	readonly device: string;
	readonly ipAddress: string;
	readonly signedInAt: Date;
	/** To the day: a session is written to no more often. */
	readonly lastActiveAt: Date;
	/** Whether it is the one that looks. */
	readonly current: boolean;
}
