import type { RequestEvent } from '@sveltejs/kit';

/** How the session of this browser ended. Returned once, and only on pages under `/auth`. */
export const takeSessionEnd = ({
	locals,
	request,
	url
}: RequestEvent): 'session-expired' | 'session-ended' | null => {
	const { app, ownCookies } = locals;
	const isGone = locals.user === null && !locals.isStoreDown;
	// A response to HEAD shows nothing.
	if (!isGone || request.method === 'HEAD' || !url.pathname.startsWith('/auth/')) return null;
	const end = ownCookies.get('sessionEnd');
	if (end === 'shown') return null;
	const isExpired = end !== null && Number(end) <= app.clock.now().getTime();
	// Browsers drop the cookie of an expired session. A session that was opened by a call of the API
	// sets no `sessionEnd`. Then only its own cookie shows that there was one.
	if (!isExpired && ownCookies.get('sessionToken') === null) return null;
	// The session cookie stays: another tab may just have signed in.
	ownCookies.set('sessionEnd', 'shown', app.policy.session.lifetime);
	return isExpired ? 'session-expired' : 'session-ended';
};
