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

/** What the checkbox said when the code was asked for. */
export const rememberConsent = (ticked: boolean): void => {
	attempt((storage) => (ticked ? storage.setItem(KEY, '1') : storage.removeItem(KEY)));
};

/** What was ticked on the way, for whoever comes back to the checkbox. */
export const rememberedConsent = (): boolean => attempt((storage) => storage.getItem(KEY)) === '1';

/**
 * Gives the consent that was ticked on the way, once there is a session. Best effort: whatever
 * comes of it, the person is signed in and is shown no error.
 */
export const postConsent = async (): Promise<void> => {
	if (!rememberedConsent()) return;
	rememberConsent(false);
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
