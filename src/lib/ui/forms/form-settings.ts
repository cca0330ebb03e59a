/**
 * How our forms behave where script runs. What a person typed is theirs: neither an answer nor
 * fresh data of the page resets it, and the field with the error gets the focus.
 */
export const formSettings = {
	applyAction: 'never',
	resetForm: false,
	// The old error would contradict what is on its way.
	clearOnSubmit: 'errors',
	autoFocusOnError: true,
	scrollToError: 'auto',
	// An answer that comes sooner needs no sign of waiting, which would only flicker.
	delayMs: 300,
	// Past this time a second submit would be let through; no request of ours lives that long.
	timeoutMs: 120_000,
	// A form that is replaced by its successor is there for a moment beside it.
	warnings: { duplicateId: false }
} as const;
