import type { RequestEvent } from '@sveltejs/kit';
import type { messages } from '#lib/messages/messages.ts';

/** Why a person reaches a page. The cookie can contain no other text. */
const REASONS = [
	'signed-out',
	'account-created',
	'email-changed',
	'email-restored',
	'account-restored',
	'account-deleted',
	'restore-offered'
] as const;

/** The end of the session was shown. It is not repeated while its cookie stays in the browser. */
const NOTICE_SHOWN = 'shown';

export type Reason = (typeof REASONS)[number];

/**
 * What the next page may have to say: a reason, or until when this browser's session lasts unless it
 * is ended elsewhere. In milliseconds.
 */
export type Notice = Reason | typeof NOTICE_SHOWN | { readonly until: number };

export const noticeValue = (notice: Notice): string =>
	typeof notice === 'string' ? notice : `until.${notice.until}`;

/** Null for anything else. */
export const parseNotice = (value: string): Notice | null => {
	const [, until] = /^until\.(\d{1,15})$/.exec(value) ?? [];
	if (until !== undefined) return { until: Number(until) };
	return value === NOTICE_SHOWN
		? NOTICE_SHOWN
		: (REASONS.find((reason) => reason === value) ?? null);
};

/** In seconds. The next page shows it. */
const LIFETIME = 5 * 60;

/**
 * In seconds, for the page about deleted accounts. A reload shows the same text, and after the offer
 * to restore has timed out, the page can say so.
 */
export const DELETED_NOTICE = 24 * 60 * 60;

/**
 * Tells the next page of this browser why it is shown. It is a cookie and not a part of the URL, so
 * that a link cannot make our pages say it.
 */
export const leaveNotice = ({ locals }: RequestEvent, reason: Reason, lifetime = LIFETIME): void =>
	locals.authCookies.setNotice(reason, lifetime);

/** The name of the text that tells why this page is shown, once. Null without a reason. */
export const takeNotice = ({
	locals,
	request,
	url
}: RequestEvent): keyof typeof messages.notices | null => {
	// A response to HEAD shows nothing, so the notice stays for the page.
	if (request.method === 'HEAD') return null;
	const { app, authCookies } = locals;
	const notice = authCookies.notice();
	if (notice === 'shown') return null;
	if (typeof notice === 'string') {
		// The page about deleted accounts says it itself, each time.
		if (notice === 'account-deleted' || notice === 'restore-offered') return null;
		if (locals.session === null) authCookies.setNotice(null);
		else authCookies.rememberSession(locals.session.expiresAt, app.clock.now());
		return notice;
	}
	const isGone = locals.user === null && !locals.isStoreDown;
	if (!isGone || !url.pathname.startsWith('/auth/')) return null;
	const isExpired = notice !== null && notice.until <= app.clock.now().getTime();
	// Browsers drop the cookie of an expired session. A session that was opened by a call of the API
	// has left no notice; its cookie alone says that it was ended.
	if (!isExpired && authCookies.sessionToken() === null) return null;
	// The session cookie stays: another tab may just have signed in.
	authCookies.setNotice('shown', app.policy.session.lifetime);
	return isExpired ? 'session-expired' : 'session-ended';
};

/** What an action of the settings did, and which section of the page reports it. */
const SECTIONS = {
	name: 'profile',
	link: 'email',
	cancelled: 'email',
	session: 'sessions',
	others: 'sessions',
	application: 'applications',
	agreed: 'consent',
	withdrawn: 'consent'
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
