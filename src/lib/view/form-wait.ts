/** Why a form cannot be sent yet, and for how long. */
export interface FormWait {
	/** Whole seconds. A duration instead of a time, because the visitor's clock may be wrong. */
	readonly seconds: number;
	/** What the form says while the button counts the seconds. */
	readonly reason: string;
	/** Whether the wait is for this email address only, so that another one can be sent at once. */
	readonly endsOnEdit: boolean;
}
