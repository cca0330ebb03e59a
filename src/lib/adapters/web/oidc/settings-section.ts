import { redirect, type Action, type RequestEvent } from '@sveltejs/kit';
import { parseClientId } from '#lib/domain/ids.ts';
import { requireSession } from '../edge/require-user.ts';
import { postedFields } from '../http/form-body.ts';
import { logEvent } from '../http/log-event.ts';
import { settingsAfter } from '../edge/settings-result.ts';

/** The applications that have access. Null if the provider is off. */
export const loadApplications = async (event: RequestEvent) => {
	const { user } = requireSession(event);
	const { oidc, oidcStore, clock } = event.locals.app;
	return oidc && oidcStore.applicationsOf(user.id, clock.now());
};

/** Ends what the application of a row was given. */
export const endApplication: Action = async (event) => {
	const { user } = requireSession(event);
	const id = parseClientId(String((await postedFields(event)).get('application')));
	if (id !== null) await event.locals.app.oidcStore.endGrants(user.id, id);
	logEvent(event, 'application_ended', { application: id });
	redirect(303, settingsAfter(event, 'application-ended'));
};
