import { resolve } from '$app/paths';
import { readConsentMark } from '#lib/consent-mark.ts';

/** What a page that keeps the tick of its consent box does with it; given to the flow by that page. */
export interface Ticks {
	/** Notes that the box was ticked for this pending consent; null forgets any tick. */
	remember(pending: string | null): void;
	/** Whether the box was ticked in this tab for this pending consent. */
	has(pending: string | null): boolean;
	/**
	 * Gives the consent that was ticked in this tab, if the server says at the end of `marked` that it may
	 * be given to the account that is signed in now. Returns where the server leads.
	 */
	give(marked: string): Promise<string>;
}

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
 * The server knows which email address, entry page and time a pending consent belongs to, so only its
 * name is kept here.
 */
const remember: Ticks['remember'] = (pending) => {
	attempt((storage) => (pending ? storage.setItem(KEY, pending) : storage.removeItem(KEY)));
};

const has: Ticks['has'] = (pending) =>
	pending !== null && attempt((storage) => storage.getItem(KEY)) === pending;

const give: Ticks['give'] = async (marked) => {
	const [location, pending] = readConsentMark(marked);
	const mayGive = has(pending);
	remember(null);
	if (mayGive) await postConsent();
	return location;
};

export const ticks: Ticks = { remember, has, give };

/** Best effort: whatever comes of it, the person is signed in and is shown no error. */
const postConsent = async (): Promise<void> => {
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
