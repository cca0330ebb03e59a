import { redirect, type Action, type RequestEvent } from '@sveltejs/kit';
import { endAll as endEvery, endOne, endOthers as endEveryOther } from './end-sessions.ts';
import { leaveNotice } from './notice.ts';
import { postedFields } from '../forms/posted-form.ts';
import { requireSession } from './require-user.ts';
import { shownSession } from './shown-session.ts';
import { settingsAfter } from '../settings/done.ts';
import type { ShownSession } from '#lib/view/sessions.ts';

/** Returns the current session first, then the others by last use. */
export const loadSessions = async (event: RequestEvent): Promise<readonly ShownSession[]> => {
	const { user, session } = requireSession(event);
	const found = await event.locals.app.sessionsOf.list(user.id);
	const shown = found.map((one) => shownSession(one, session));
	return [...shown.filter(({ current }) => current), ...shown.filter(({ current }) => !current)];
};

export const endSession: Action = async (event) => {
	const handle = (await postedFields(event)).get('session');
	if (typeof handle === 'string') await endOne(event, handle);
	if (event.locals.session !== null) redirect(303, settingsAfter(event, 'session'));
	leaveNotice(event, 'signed-out');
	redirect(303, '/');
};

export const endOthers: Action = async (event) => {
	await endEveryOther(event);
	redirect(303, settingsAfter(event, 'others'));
};

export const endAll: Action = async (event) => {
	await endEvery(event);
	leaveNotice(event, 'signed-out-everywhere');
	redirect(303, '/');
};
