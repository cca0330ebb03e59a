import { fail, redirect, type RequestEvent } from '@sveltejs/kit';
import { maskEmail } from '#lib/domain/email.ts';
import { presentedKeyOfBrowser, requestSourceOf } from '../edge/client.ts';
import { outcomeOf } from '../http/outcome.ts';
import { logEvent } from '../http/log-event.ts';
import { setFlash } from '../http/flash.ts';
import { signInPathTo } from '../edge/require-user.ts';
import { clearSession } from '../sessions/session-response.ts';

/**
 * Loads the page of a link. Opening it changes nothing, because programs that check links open them
 * too. The email address that the account has now is masked: it may be another person's.
 */
export const loadUndo = async (event: RequestEvent) => {
	const change = await event.locals.app.readUndo(event.params.token ?? '');
	if (change === null) return { state: 'unknown' as const };
	return { state: 'asks' as const, to: change.to, from: maskEmail(change.from) };
};

/** Posting the form undoes the change. Needs no session: the link came to the old email address. */
export const undoAction = async (event: RequestEvent) => {
	const { app, ownCookies, session } = event.locals;
	const token = event.params.token ?? '';
	const undone = await app.undoEmailChange({
		token,
		source: requestSourceOf(event),
		presentedKey: presentedKeyOfBrowser(event)
	});
	const outcome = undone.ok ? 'ok' : undone.error.code;
	logEvent(event, 'email_change_undone', {
		outcome,
		sessions: undone.ok ? undone.value.ended.length : 0
	});
	if (!undone.ok) return fail(outcomeOf(undone.error).status);
	const { deviceKey } = undone.value;
	const ended: readonly string[] = undone.value.ended;
	if (session !== null && ended.includes(session.id)) clearSession(event);
	if (deviceKey !== null) ownCookies.set('deviceKey', deviceKey, app.policy.devices.lifetime);
	setFlash(event, 'email-restored');
	redirect(303, signInPathTo('/settings', event.locals));
};
