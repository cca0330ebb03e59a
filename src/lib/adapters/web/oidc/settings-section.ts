import { redirect, type Action, type RequestEvent } from '@sveltejs/kit';
import { requireUser } from '../edge/require-user.ts';
import { postedFields } from '../http/form-body.ts';
import { logEvent } from '../http/log-event.ts';
import { settingsAfter } from '../http/flash.ts';

/** The applications that have access. Null if the provider is off. */
export const loadApplications = async (event: RequestEvent) => {
	const { app } = event.locals;
	return app.oidc && app.listApplications(requireUser(event).id);
};

export const endApplication: Action = async (event) => {
	const { id } = requireUser(event);
	const typed = String((await postedFields(event)).get('application'));
	const application = await event.locals.app.endApplication(id, typed);
	logEvent(event, 'application_ended', { application });
	redirect(303, settingsAfter(event, 'application-ended'));
};
