import { resolve } from '$app/paths';
import { readConsentMark } from '#lib/consent-mark.ts';
import { messages } from '#lib/messages/messages.ts';

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
 * Keeps the tick of a consent box in the browser. A page with a consent box passes this to the
 * sign-in flow.
 */
export const consentTicks = {
	/**
	 * Records that the box was ticked for this pending consent. Null removes any tick. Stores only the
	 * id: the server knows the email address, sign-in page and time of a pending consent.
	 */
	remember: (pending: string | null): void => {
		attempt((storage) => (pending ? storage.setItem(KEY, pending) : storage.removeItem(KEY)));
	},

	/** Whether the box was ticked in this tab for this pending consent. */
	has: (pending: string | null): boolean =>
		pending !== null && attempt((storage) => storage.getItem(KEY)) === pending,

	/**
	 * Gives the consent that was ticked in this tab. The mark at the end of `marked` names the
	 * pending consent of the account that signed in; it must be the same. Returns the redirect target
	 * without the mark.
	 */
	give: async (marked: string): Promise<string> => {
		const [location, pending] = readConsentMark(marked);
		const mayGive = consentTicks.has(pending);
		consentTicks.remember(null);
		if (mayGive) await postConsent();
		return location;
	}
};
export type ConsentTicks = typeof consentTicks;

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
