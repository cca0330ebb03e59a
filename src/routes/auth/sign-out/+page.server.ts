import { error, redirect } from '@sveltejs/kit';
import { messages } from '#lib/messages/messages.ts';
import { pageActions } from '#lib/adapters/web/page-rules.ts';
import { setFlash } from '#lib/adapters/web/http/flash.ts';
import { signOutBrowser } from '#lib/adapters/web/sessions/end-sessions.ts';
import type { PageServerLoad } from './$types';

export const load: PageServerLoad = ({ locals }) => {
	// Nobody knows then whether the person is signed in.
	if (locals.isStoreDown) error(503, messages.faults.unavailable);
	if (locals.user === null) redirect(303, '/');
};

export const actions = pageActions('/auth/sign-out', {
	default: async (event) => {
		await signOutBrowser(event);
		setFlash(event, 'signed-out');
		redirect(303, '/');
	}
});
