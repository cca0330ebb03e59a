import { fail, redirect, type Action, type RequestEvent } from '@sveltejs/kit';
import type { CodeKey } from '#lib/domain/secret.ts';
import { presentedKeyOfBrowser, requestSourceOf } from '../edge/client.ts';
import { DELETED_FLASH_LIFETIME_S, setFlash } from '../http/flash.ts';
import { logEvent } from '../http/log-event.ts';
import { outcomeOf } from '../http/outcome.ts';
import { DEFAULT_DESTINATION } from '../http/paths.ts';
import { setSessionCookies } from '../sessions/session-response.ts';

/** Loads the page about an account that was deleted in this browser, or that a code can restore. */
export const loadDeletedAccount = async (event: RequestEvent) => {
	const { app, ownCookies, user } = event.locals;
	if (user !== null) redirect(303, DEFAULT_DESTINATION);
	const token = ownCookies.get('restoreToken');
	const grant = token && (await app.readRestoreGrant(token));
	const flash = ownCookies.get('flash');
	// What this browser did last. Without it, the page must not say that an account is deleted: anyone can
	// link to this page.
	const lastEvent = flash === 'account-deleted' || flash === 'restore-offered' ? flash : null;
	return { grant, lastEvent, email: lastEvent && deletedEmail(event) };
};

const restore = async (event: RequestEvent) => {
	const { app, ownCookies } = event.locals;
	const restoreToken = ownCookies.get('restoreToken');
	const source = requestSourceOf(event);
	const presentedKey = presentedKeyOfBrowser(event);
	const readAt = app.monotonic();
	const restored = restoreToken
		? await app.restoreAccount({ restoreToken, source, presentedKey })
		: ({ ok: false, error: { code: 'invalid_restore_grant' } } as const);
	logEvent(event, 'account_restored', { outcome: restored.ok ? 'ok' : restored.error.code });
	if (!restored.ok) {
		const isBlocked = restored.error.code === 'account_blocked';
		// The grant of a blocked account stays valid.
		if (!isBlocked) ownCookies.delete('restoreToken');
		return fail(outcomeOf(restored.error).status, { isBlocked });
	}
	ownCookies.delete('restoreToken');
	ownCookies.delete('deletedEmail');
	setSessionCookies(event, restored.value, readAt);
	setFlash(event, 'account-restored');
	redirect(303, DEFAULT_DESTINATION);
};

const leave: Action = ({ locals: { ownCookies } }) => {
	ownCookies.delete('restoreToken');
	ownCookies.delete('flash');
	ownCookies.delete('deletedEmail');
	redirect(303, '/');
};

export const deletedAccountActions = { restore, leave };

const contextOf = (codeKey: CodeKey): string => `deleted email ${codeKey}`;

/** Stores the email address of a deleted account in a cookie, for the page about the account. */
export const keepDeletedEmail = ({ locals }: RequestEvent, email: string): void => {
	const { app, ownCookies } = locals;
	const codeKey = ownCookies.get('codeKey');
	if (codeKey === null) return;
	const sealed = app.sealer.seal(email, contextOf(codeKey));
	// As long as the page can say what happened.
	ownCookies.set('deletedEmail', sealed, DELETED_FLASH_LIFETIME_S);
};

/** The email address of the account that was deleted in this browser, or offered to be restored. */
const deletedEmail = ({ locals: { app, ownCookies } }: RequestEvent): string | null => {
	const codeKey = ownCookies.get('codeKey');
	const sealed = ownCookies.get('deletedEmail');
	return codeKey && sealed && app.sealer.open(sealed, contextOf(codeKey));
};
