import { goto } from '$app/navigation';
import { messages } from '#lib/messages/messages.ts';

/**
 * After how many milliseconds a form shows that it waits. After 300 ms, people doubt that they pressed
 * the button. For a faster response, the indicator would only flicker.
 */
export const PENDING_AFTER_MS = 250;

/**
 * Follows the redirect of an action. Replaces the form in the history, because its work is done.
 */
export const followRedirect = (location: string): Promise<void> =>
	// eslint-disable-next-line svelte/no-navigation-without-resolve -- the server's own redirect
	goto(location, { refreshAll: true, replace: true }).catch(() =>
		// Other sites and non-application pages are opened by the browser.
		window.location.replace(location)
	);

/**
 * The text to show when a form gets no response of its own, because of a fault, a rate limit or a
 * network error.
 */
export const faultText = ({ error }: { error: Error | App.Error }): string => {
	const common = messages.common;
	const faults = messages.faults;
	const status = 'status' in error ? error.status : 0;
	// Our own error responses contain a text for people.
	const ours =
		[403, 429].includes(status) || Object.values<unknown>(faults).includes(error.message);
	if (ours) return error.message;
	return status >= 400 && status < 500 ? faults.badRequest : common.unreachable;
};

/** What the form waits for after such an error, as its message. Undefined if it can be sent now. */
export const waitOf = ({ error }: { error: Error | App.Error }): App.FormDemand | undefined =>
	'wait' in error && error.wait ? { puzzle: null, wait: error.wait } : undefined;

/** With JavaScript, a form shows our own error texts instead of the browser's. */
export const ownErrorTexts = (form: HTMLFormElement): void => void (form.noValidate = true);

/** What a message box says: a fact, or that something was done, was not done, or failed. */
export type Tone = 'neutral' | 'success' | 'warning' | 'error';
