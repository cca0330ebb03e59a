import type { RequestEvent } from '@sveltejs/kit';
import type { messages } from '#lib/messages/messages.ts';
import type { Reason } from './notice-cookie.ts';

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
