import type { RequestEvent } from '@sveltejs/kit';
import { DAY, MINUTE } from '#lib/domain/time.ts';
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
const END_SHOWN = 'shown';

type Reason = (typeof REASONS)[number];

/** Until when the session of this browser lasts unless it is ended elsewhere. In milliseconds. */
type Until = `until.${number}`;

const isUntil = (value: string): value is Until => /^until\.\d{1,15}$/.test(value);

export const parseFlash = (value: string): Reason | typeof END_SHOWN | Until | null => {
	if (value === END_SHOWN || isUntil(value)) return value;
	return REASONS.find((reason) => reason === value) ?? null;
};

/**
 * For the page about deleted accounts. A reload shows the same text, and after the offer to restore
 * has timed out, the page can say so.
 */
export const DELETED_FLASH_LIFETIME_S = DAY;

/**
 * Tells the next page of this browser why it is shown. It is a cookie and not a part of the URL, so
 * that a link cannot make our pages say it. `lifetime` is in seconds.
 */
export const setFlash = ({ locals }: RequestEvent, reason: Reason, lifetime = 5 * MINUTE): void =>
	locals.ownCookies.set('flash', reason, lifetime);

/** The name of the text that tells why this page is shown, once. Null without a reason. */
export const takeFlash = ({
	locals,
	request,
	url
}: RequestEvent): keyof typeof messages.flashes | null => {
	// A response to HEAD shows nothing, so the flash stays for the page.
	if (request.method === 'HEAD') return null;
	const { app, ownCookies } = locals;
	const flash = ownCookies.get('flash');
	if (flash === END_SHOWN) return null;
	if (flash !== null && !isUntil(flash)) {
		// The page about deleted accounts says it itself, each time.
		if (flash === 'account-deleted' || flash === 'restore-offered') return null;
		if (locals.session === null) ownCookies.delete('flash');
		else ownCookies.rememberSession(locals.session.expiresAt, app.clock.now());
		return flash;
	}
	const isGone = locals.user === null && !locals.isStoreDown;
	if (!isGone || !url.pathname.startsWith('/auth/')) return null;
	const until = Number(flash?.slice('until.'.length) ?? Infinity);
	const isExpired = until <= app.clock.now().getTime();
	// Browsers drop the cookie of an expired session. A session that was opened by a call of the API
	// has left no flash; its cookie alone says that it was ended.
	if (!isExpired && ownCookies.get('sessionToken') === null) return null;
	// The session cookie stays: another tab may just have signed in.
	ownCookies.set('flash', END_SHOWN, app.policy.session.lifetime);
	return isExpired ? 'session-expired' : 'session-ended';
};
