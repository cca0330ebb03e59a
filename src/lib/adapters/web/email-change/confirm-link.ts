import { fail, redirect, type Action, type RequestEvent } from '@sveltejs/kit';
import { parseChangeLinkToken } from '#lib/domain/signed-links.ts';
import { messages } from '#lib/messages/messages.ts';
import { confirmer } from './request.ts';
import { showChangedUser } from '../sessions/session-response.ts';
import { outcomeOf } from '../http/outcome.ts';
import { logOutcome } from '../http/log-event.ts';
import { redirectTarget } from '../http/redirects.ts';
import { setFlash } from '../http/flash.ts';
import { signOutBrowser } from '../sessions/end-sessions.ts';
import { signInPathTo } from '../edge/require-user.ts';

const TOKEN_PARAMETER = 'token';
const CALLBACK_PARAMETER = 'callbackURL';
/** Without an anchor: the flash message is at the top of the page. */
const SETTINGS = '/settings';
/** `callbackURL` in emails, base64url-encoded (mail/emails/change-link.ts). */
const MAILED_CALLBACK_PARAMETER = 'next';

/**
 * Opening a link does not use it up. Its token moves from the URL into a cookie, until the change
 * is confirmed.
 */
export const loadEmailChangeLink = async (event: RequestEvent) => {
	const { app, ownCookies } = event.locals;
	const typed = event.url.searchParams.get(TOKEN_PARAMETER);
	if (typed === null) return { link: await openedLink(event), keptQuery: queryToKeep(event) };
	const token = parseChangeLinkToken(typed);
	if (token === null) return { link: { state: 'none' as const }, keptQuery: '' };
	ownCookies.set('changeLinkToken', token, app.policy.emailChange.linkLifetime);
	redirect(303, thisPage(event));
};

/** The state of the link that was opened in this browser. It never contains the token. */
const openedLink = async (event: RequestEvent) => {
	const { app, ownCookies, user } = event.locals;
	const token = ownCookies.get('changeLinkToken');
	if (token === null) return { state: 'none' } as const;
	if (user === null) {
		// The browser keeps the link until the person signs in.
		return { state: 'signed-out', signIn: signInPathTo(thisPage(event), { app }) } as const;
	}
	const change = await app.readChangeLink(user, token);
	if (change === 'applied') return { state: 'applied', email: user.email } as const;
	// Not valid, or of another account. Only its own account may learn which.
	if (change === null) return { state: 'refused' } as const;
	return { state: 'ready', from: user.email, ...change } as const;
};

const confirm: Action = async (event) => {
	const { app, ownCookies, user } = event.locals;
	// `confirmer` would also redirect, but lose the redirect target of this page.
	if (user === null) redirect(303, signInPathTo(thisPage(event), { app }));
	const token = ownCookies.get('changeLinkToken');
	if (token === null) return fail(400, { refused: messages.errors.invalidChangeLink });
	const changed = await app.changeEmailByLink({ ...confirmer(event), token });
	const newEmail = changed.ok ? changed.value.user.email : '';
	logOutcome(event, 'email_change_confirmed', newEmail, changed);
	// This browser forgets the link, whatever the result. After `email_taken`, the change stays pending.
	ownCookies.delete('changeLinkToken');
	if (!changed.ok) {
		// The button was pressed twice, and the first request changed the email address.
		if ((await app.readChangeLink(user, token)) === 'applied') redirect(303, SETTINGS);
		const { status, text } = outcomeOf(changed.error);
		return fail(status, { refused: text });
	}
	showChangedUser(event, changed.value.user);
	setFlash(event, 'email-changed');
	redirect(303, callback(event) ?? SETTINGS, { external: true });
};

/** The email change stays pending. Only this browser forgets the link. */
const dismiss: Action = ({ locals: { ownCookies, user } }) => {
	ownCookies.delete('changeLinkToken');
	redirect(303, user === null ? '/' : '/settings');
};

/** Signs out and keeps the link, for a person whose link is for another account of theirs. */
const switchAccount: Action = async (event) => {
	await signOutBrowser(event);
	setFlash(event, 'signed-out');
	redirect(303, thisPage(event));
};

export const emailChangeLinkActions = { confirm, dismiss, switchAccount };

/** Validated again at each step, because the value comes from an email or a URL. */
const callback = (event: RequestEvent): string | null => {
	const { config, trustedOrigins } = event.locals.app;
	const { searchParams } = event.url;
	const mailed = searchParams.get(MAILED_CALLBACK_PARAMETER);
	const value =
		mailed === null
			? searchParams.get(CALLBACK_PARAMETER)
			: Buffer.from(mailed, 'base64url').toString();
	return value === null ? null : redirectTarget(value, config.origin, trustedOrigins);
};

/** The query that keeps the redirect target. Every action of the page has it. */
const queryToKeep = (event: RequestEvent): string => {
	const next = callback(event);
	return next === null ? '' : `${new URLSearchParams({ [CALLBACK_PARAMETER]: next })}`;
};

const thisPage = (event: RequestEvent): string => {
	const query = queryToKeep(event);
	return query === '' ? event.url.pathname : `${event.url.pathname}?${query}`;
};
