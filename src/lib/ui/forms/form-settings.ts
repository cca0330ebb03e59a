/**
 * In milliseconds until a form shows that it waits: visible before people doubt their press, at 300
 * ms. For a faster response the indicator would only flicker.
 */
export const PATIENCE_MS = 250;

/**
 * The settings of all forms with JavaScript. Neither a response nor new page data overwrites what a
 * person typed. The field with an error gets the focus.
 */
export const formSettings = {
	applyAction: 'never',
	resetForm: false,
	// Remove the old error while the new request runs.
	clearOnSubmit: 'errors',
	autoFocusOnError: true,
	scrollToError: 'auto',
	delayMs: PATIENCE_MS,
	// After this time the library allows a second submit. No request takes that long.
	timeoutMs: 120_000,
	// When one form replaces another, both exist for a moment.
	warnings: { duplicateId: false }
} as const;
