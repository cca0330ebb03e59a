/**
 * Keeps the tick of a consent box in the browser. A page with a consent box passes this to the
 * sign-in flow.
 */
export interface Ticks {
	/** Records that the box was ticked for this pending consent. Null removes any tick. */
	remember(pending: string | null): void;
	/** Whether the box was ticked in this tab for this pending consent. */
	has(pending: string | null): boolean;
	/**
	 * Gives the consent that was ticked in this tab. The mark at the end of `marked` names the
	 * pending consent of the account that signed in; it must be the same. Returns the redirect target
	 * without the mark.
	 */
	give(marked: string): Promise<string>;
}
