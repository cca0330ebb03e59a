import { redirect, type Action, type RequestEvent } from '@sveltejs/kit';
import { endOne, endOthers as endEveryOther } from './end-sessions.ts';
import { leaveNotice } from '../http/notice.ts';
import { postedFields } from '../http/posted-form.ts';
import { requireSession } from '../edge/require-user.ts';
import { shownSession } from './shown-session.ts';
import { settingsAfter } from '../http/done.ts';

/** Rows of one page. */
const SHOWN = 20;

/** The number of a page of sessions. The first page for any other text. */
const pageOf = (value: unknown): number =>
	typeof value === 'string' && /^[1-9]\d{0,3}$/.test(value) ? Number(value) : 1;

export const loadSessions = async (event: RequestEvent) => {
	const { user, session } = requireSession(event);
	const number = pageOf(event.url.searchParams.get('sessions'));
	const { sessionsOf } = event.locals.app;
	const { sessions, ...page } = await sessionsOf.page(user.id, session.id, number, SHOWN);
	return { rows: sessions.map((one) => shownSession(one, session)), ...page };
};

export const endSession: Action = async (event) => {
	const fields = await postedFields(event);
	const handle = fields.get('session');
	if (typeof handle === 'string') await endOne(event, handle);
	if (event.locals.session !== null) {
		const page = pageOf(fields.get('page'));
		redirect(303, settingsAfter(event, 'session', page === 1 ? '' : `?sessions=${page}`));
	}
	leaveNotice(event, 'signed-out');
	redirect(303, '/');
};

export const endOthers: Action = async (event) => {
	await endEveryOther(event);
	redirect(303, settingsAfter(event, 'others'));
};
