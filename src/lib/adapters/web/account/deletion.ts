import { fail, redirect, type RequestEvent, type Action } from '@sveltejs/kit';
import { superValidate } from 'sveltekit-superforms';
import { zod4 } from 'sveltekit-superforms/adapters';
import { z } from 'zod';
import type { Sealer } from '#lib/domain/ports.ts';
import type { CodeKey } from '#lib/domain/secret.ts';
import { DAY } from '#lib/domain/time.ts';
import { messages } from '#lib/messages/messages.ts';
import { requestSourceOf, presentedKeyOfBrowser } from '../edge/client.ts';
import { clearSession, setSessionCookies } from '../sessions/session-response.ts';
import { logEvent } from '../http/log-event.ts';
import { outcomeOf } from '../http/outcome.ts';
import { DEFAULT_DESTINATION } from '../http/paths.ts';
import { requireUser } from '../edge/require-user.ts';
import { DELETED_FLASH_LIFETIME, setFlash } from '../http/flash.ts';
import { postedFields } from '../http/form-body.ts';

export const deleteAccount = async (event: RequestEvent): Promise<void> => {
	const user = requireUser(event);
	const deleted = await event.locals.app.deleteAccount({ user, client: requestSourceOf(event) });
	if (deleted !== null) logEvent(event, 'account_deleted', { sessions: deleted.ended.length });
	clearSession(event);
};

const FORM_ID = 'deletion';

/** A box that must be ticked deliberately. */
const confirmDeletionForm = z.object({
	sure: z.boolean().refine((sure) => sure, messages.errors.unsure)
});

export const loadDeletion = async ({ locals }: RequestEvent) => ({
	days: locals.app.policy.deletion.grace / DAY,
	form: await superValidate(zod4(confirmDeletionForm), { id: FORM_ID, errors: false })
});

export const submitDeletion: Action = async (event) => {
	const form = await superValidate(await postedFields(event), zod4(confirmDeletionForm), {
		id: FORM_ID
	});
	if (!form.valid) return fail(400, { form });
	const { email } = requireUser(event);
	await deleteAccount(event);
	keepDeletedEmail(event, email);
	setFlash(event, 'account-deleted', DELETED_FLASH_LIFETIME);
	redirect(303, '/auth/account-deleted');
};

/** Loads the page about an account that was deleted in this browser, or that a code can restore. */
export const loadDeletedAccount = async (event: RequestEvent) => {
	const { app, authCookies, user } = event.locals;
	if (user !== null) redirect(303, DEFAULT_DESTINATION);
	const token = authCookies.restoreToken();
	const grant = token && (await app.readRestoreGrant(token));
	const flash = authCookies.flash();
	// What this browser did. Without it, a link to this page must not say that an account is deleted.
	const known = flash === 'account-deleted' || flash === 'restore-offered' ? flash : null;
	return { grant, known, email: known && deletedEmail(event) };
};

const restore = async (event: RequestEvent) => {
	const { app, authCookies } = event.locals;
	const restoreToken = authCookies.restoreToken();
	const client = requestSourceOf(event);
	const presentedKey = presentedKeyOfBrowser(event);
	const monotonicMs = app.monotonic();
	const restored = restoreToken
		? await app.restoreAccount({ restoreToken, client, presentedKey })
		: ({ ok: false, error: { code: 'invalid_restore_grant' } } as const);
	logEvent(event, 'account_restored', { outcome: restored.ok ? 'ok' : restored.error.code });
	if (!restored.ok) {
		const isBlocked = restored.error.code === 'account_blocked';
		// The grant of a blocked account stays valid.
		if (!isBlocked) authCookies.setRestoreToken(null);
		return fail(outcomeOf(restored.error).status, { isBlocked });
	}
	authCookies.setRestoreToken(null);
	setSessionCookies(event, restored.value, monotonicMs);
	setFlash(event, 'account-restored');
	redirect(303, DEFAULT_DESTINATION);
};

/** Forgets what this browser has of the account. */
const leave: Action = ({ locals: { authCookies } }) => {
	authCookies.setRestoreToken(null);
	authCookies.setFlash(null);
	authCookies.setDraft(null);
	redirect(303, '/');
};

export const deletedAccountActions = { restore, leave };

/** The email address of a deleted account in a cookie, encrypted and bound to the browser. */
export const deletedEmails = (sealer: Sealer) => {
	const contextOf = (codeKey: CodeKey): string => `deleted email ${codeKey}`;
	return {
		seal: (email: string, codeKey: CodeKey) => sealer.seal(email, contextOf(codeKey)),
		open: (sealed: string, codeKey: CodeKey) => sealer.open(sealed, contextOf(codeKey))
	};
};

/** Keeps the email address of a deleted account for this browser's next pages about it. */
export const keepDeletedEmail = ({ locals }: RequestEvent, email: string): void => {
	const { app, authCookies } = locals;
	const codeKey = authCookies.codeKey();
	const sealed = codeKey && app.deletedEmails.seal(email, codeKey);
	// As long as the page about the account says what happened.
	if (sealed) authCookies.setDraft(sealed, DELETED_FLASH_LIFETIME);
};

/** The email address of the account that was deleted in this browser, or offered to be restored. */
const deletedEmail = ({ locals: { app, authCookies } }: RequestEvent): string | null => {
	const codeKey = authCookies.codeKey();
	const sealed = authCookies.draft();
	return codeKey && sealed && app.deletedEmails.open(sealed, codeKey);
};
