import { redirect, type Action, type RequestEvent } from '@sveltejs/kit';
import type { ClientId } from '#lib/domain/oidc/ports.ts';
import { requireSession } from '../edge/require-user.ts';
import { postedFields } from '../http/form-body.ts';
import { logEvent } from '../http/log-event.ts';
import { settingsAfter } from '../http/notice.ts';

/** The applications that have access. Null if the provider is off. */
export const loadApplications = async (event: RequestEvent) => {
	const { user } = requireSession(event);
	const { applications, oidc } = event.locals.app;
	return oidc && applications.list(user.id);
};

/** Ends what the application of a row was given. */
export const endApplication: Action = async (event) => {
	const { user } = requireSession(event);
	const { applications } = event.locals.app;
	const id = String((await postedFields(event)).get('application'));
	const found = (await applications.list(user.id)).find(({ clientId }) => clientId === id);
	if (found !== undefined) {
		await applications.end(user.id, id as ClientId);
		logEvent(event, 'application_ended', { application: id });
	}
	redirect(303, settingsAfter(event, 'application'));
};
