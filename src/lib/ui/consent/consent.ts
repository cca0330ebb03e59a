import { resolve } from '$app/paths';
import { readConsentMark } from '#lib/consent-mark.ts';
import { messages } from '#lib/messages/messages.ts';
import type { Ticks } from '../sign-in/ticks.ts';

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
