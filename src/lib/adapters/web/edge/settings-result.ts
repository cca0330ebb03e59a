import type { RequestEvent } from '@sveltejs/kit';

/** What an action of the settings did, and the section of the page that reports it. */
const SECTIONS = {
	'name-saved': 'profile',
	'link-sent': 'email',
	'sent-again': 'email',
	'change-cancelled': 'email',
	'device-ended': 'sessions',
	'others-ended': 'sessions',
	'application-ended': 'applications',
	'consent-given': 'consent',
	'consent-withdrawn': 'consent'
} as const;
type Done = keyof typeof SECTIONS;

/** In seconds. The next page shows it. */
const DONE_LIFETIME = 60;

/**
 * The settings page after an action, at the section that reports it. The report is in a cookie and
 * not in the URL, so that a link cannot make the page say it.
 */
export const settingsAfter = ({ locals }: RequestEvent, done: Done, query = ''): string => {
	locals.authCookies.setDone(done, DONE_LIFETIME);
	return `/settings${query}#${SECTIONS[done]}`;
};

/** What this browser's last action did, once. */
export const takeDone = ({ locals, request }: RequestEvent): Done | null => {
	const done = locals.authCookies.done();
	// A response to HEAD shows nothing, so the report stays for the page.
	if (done === null || request.method === 'HEAD') return null;
	locals.authCookies.setDone(null);
	return Object.hasOwn(SECTIONS, done) ? (done as Done) : null;
};
