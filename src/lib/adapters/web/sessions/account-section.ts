import type { RequestEvent } from '@sveltejs/kit';
import { requireSession } from './require-user.ts';
import { shownSession } from './shown-session.ts';
import type { ShownSession } from '#lib/view/sessions.ts';

/** Besides the current one. The settings show all. */
const SHOWN = 5;

/** The newest sessions of the signed-in user by sign-in, and the current one, however old it is. */
export const loadSignIns = async (event: RequestEvent): Promise<readonly ShownSession[]> => {
	const { user, session } = requireSession(event);
	const open = await event.locals.app.sessionsOf.list(user.id);
	return open
		.toSorted((one, other) => other.createdAt.getTime() - one.createdAt.getTime())
		.filter(({ id }, place) => place < SHOWN || id === session.id)
		.map((one) => shownSession(one, session));
};
