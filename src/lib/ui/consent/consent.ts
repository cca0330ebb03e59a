import { resolve } from '$app/paths';
import { readConsentMark } from '#lib/consent-mark.ts';
import { messages } from '#lib/messages/messages.ts';

/**
 * Keeps the tick of a consent box in the browser. A page with a consent box passes this to the
 * sign-in flow.
 */
export interface ConsentTicks {
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

/** In session storage, so that a reload during sign-in does not lose the tick. */
const KEY = 'postern-consent';

/** Browsers may block storage. Consent is then not recorded, and the person can give it later. */
const attempt = <T>(use: (storage: Storage) => T): T | null => {
	try {
		return use(sessionStorage);
	} catch {
		return null;
	}
};

/**
 * Stores only the id. The server knows the email address, entry page and time of a pending consent.
 */
const remember: ConsentTicks['remember'] = (pending) => {
	attempt((storage) => (pending ? storage.setItem(KEY, pending) : storage.removeItem(KEY)));
};

const has: ConsentTicks['has'] = (pending) =>
	pending !== null && attempt((storage) => storage.getItem(KEY)) === pending;

const give: ConsentTicks['give'] = async (marked) => {
	const [location, pending] = readConsentMark(marked);
	const mayGive = has(pending);
	remember(null);
	if (mayGive) await postConsent();
	return location;
};

export const consentTicks: ConsentTicks = { remember, has, give };

/** Best effort: the person is signed in either way and sees no error. */
const postConsent = async (): Promise<void> => {
	try {
		const wording = new URLSearchParams({ wording: messages.consent.version });
		await fetch(`${resolve('/api/marketing-consent')}?${wording}`, {
			method: 'POST',
			signal: AbortSignal.timeout(5000),
			keepalive: true
		});
	} catch {
		// If the server could not record it, its log says so.
	}
};
