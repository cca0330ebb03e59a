import { fail, redirect } from '@sveltejs/kit';
import { presentedKeyOfBrowser, clientInfoOf } from '#lib/adapters/web/edge/caller.ts';
import { deletedEmail } from '#lib/adapters/web/edge/drafts.ts';
import { setFlash } from '#lib/adapters/web/http/flash.ts';
import { setSessionCookies } from '#lib/adapters/web/sessions/session-response.ts';
import { outcomeOf } from '#lib/adapters/web/http/outcome.ts';
import { pageActions } from '#lib/adapters/web/page-rules.ts';
import { logEvent } from '#lib/adapters/web/http/log-event.ts';
import { DEFAULT_DESTINATION } from '#lib/adapters/web/http/paths.ts';
import type { Actions, PageServerLoad } from './$types';

export const load: PageServerLoad = async (event) => {
	const { app, authCookies, user } = event.locals;
	if (user !== null) redirect(303, DEFAULT_DESTINATION);
	const token = authCookies.restoreToken();
	const grant = token && (await app.readRestoreGrant(token));
	const flash = authCookies.flash();
	// What this browser did. Without it, a link to this page must not say that an account is deleted.
	const known = flash === 'account-deleted' || flash === 'restore-offered' ? flash : null;
	return { grant, known, email: known && deletedEmail(event) };
};

export const actions: Actions = pageActions('/auth/account-deleted', {
	restore: async (event) => {
		const { app, authCookies } = event.locals;
		const restoreToken = authCookies.restoreToken();
		const client = clientInfoOf(event);
		const monotonicMs = app.monotonic();
		const restored = restoreToken
			? await app.restoreAccount({
					restoreToken,
					client,
					presentedKey: presentedKeyOfBrowser(event)
				})
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
	},

	leave: ({ locals }) => {
		locals.authCookies.setRestoreToken(null);
		locals.authCookies.setFlash(null);
		locals.authCookies.setDraft(null);
		redirect(303, '/');
	}
});
