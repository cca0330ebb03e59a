import { resolve } from '$app/paths';

/** Kept by the tab, so that a reload on the way to the code does not lose it. */
const KEY = 'postern-consent';

/** A browser may refuse to keep anything; then a consent is not given, which loses nobody anything. */
const attempt = <T>(use: (storage: Storage) => T): T | null => {
	try {
		return use(sessionStorage);
	} catch {
		return null;
	}
};

/**
 * Notes that the box was ticked for this pending consent; null forgets any tick. The server knows which
 * email address, entry page and time a pending consent belongs to, so only its name is kept here.
 */
export const rememberTick = (pending: string | null): void => {
	attempt((storage) => (pending ? storage.setItem(KEY, pending) : storage.removeItem(KEY)));
};

/** Whether the box was ticked in this tab for this pending consent. */
export const isTicked = (pending: string | null): boolean =>
	pending !== null && attempt((storage) => storage.getItem(KEY)) === pending;

/**
 * Gives the consent that was ticked on the way, once there is a session. Best effort: whatever
 * comes of it, the person is signed in and is shown no error.
 */
export const postConsent = async (): Promise<void> => {
	try {
		await fetch(resolve('/api/marketing-consent'), {
			method: 'POST',
			signal: AbortSignal.timeout(5000),
			keepalive: true
		});
	} catch {
		// The server logs what it could not note.
	}
};
