import type { RequestEvent } from '@sveltejs/kit';
import { requireSession } from '../edge/require-user.ts';
import { shownSession } from './shown-session.ts';

/** Besides the current one. The settings show all. */
const SHOWN = 5;

/** The newest sessions of the signed-in user by sign-in, and the current one, however old it is. */
export const loadSignIns = async (event: RequestEvent) => {
	const { user, session } = requireSession(event);
	const newest = await event.locals.app.sessionsOf.newest(user.id, SHOWN);
	const hasCurrent = newest.some(({ id }) => id === session.id);
	return (hasCurrent ? newest : [...newest, session]).map((one) => shownSession(one, session));
};
