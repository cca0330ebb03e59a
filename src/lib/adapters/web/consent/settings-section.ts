import { redirect, type Action, type RequestEvent } from '@sveltejs/kit';
import { requireUser } from '../sessions/require-user.ts';
import { settingsAfter } from '../settings/done.ts';
import type { ConsentSettings } from '#lib/view/consent.ts';

export const loadConsent = async (event: RequestEvent): Promise<ConsentSettings> => {
	const { app } = event.locals;
	const data = await app.accounts.dataOf(requireUser(event).id);
	return {
		given: data?.marketingOptIn ?? false,
		givenAt: data?.marketingOptInAt ?? null,
		supportEmail: app.config.supportEmail
	};
};

/** Posting the form is the consent. */
export const agree: Action = async (event) => {
	await event.locals.app.grantConsent(requireUser(event).id);
	redirect(303, settingsAfter('agreed'));
};
