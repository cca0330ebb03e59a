import { error, type RequestEvent } from '@sveltejs/kit';
import { COUNTED_KINDS } from '#lib/domain/events/ports.ts';
import type { EventPage } from '#lib/domain/events/use-cases.ts';
import { parseEventId, type EventId } from '#lib/domain/ids.ts';
import { describeDevice } from '#lib/device-name.ts';
import { messages } from '#lib/messages/messages.ts';
import { requireFreshSession, requireUser, signInPathTo } from '../edge/require-user.ts';
import { postedFields } from '../http/form-body.ts';
import { logEvent } from '../http/log-event.ts';

const { activity: texts } = messages;

/** The event after which this page begins. Null on the first one. */
export const eventCursor = ({ url }: RequestEvent): EventId | null =>
	parseEventId(url.searchParams.get('before') ?? '');

export const loadActivity = async (event: RequestEvent) => {
	const { app } = event.locals;
	const page = await app.readActivity(requireUser(event).id, eventCursor(event));
	return { days: app.config.eventsDays, ...shownEvents(page) };
};

export const shownEvents = ({ events, next }: EventPage) => ({
	/** The cursor of the next page. */
	older: next,
	events: events.map(({ id, kind, at, count, detail, actor, userAgent }) => ({
		id,
		at,
		/** It counts the hour that begins at `at`. */
		isHourly: COUNTED_KINDS.some((counted) => counted === kind),
		text: texts.event(kind, count, detail),
		/** The device, or who did it. */
		by: actor.kind === 'operator' ? texts.byOperator : userAgent ? describeDevice(userAgent) : null
	}))
});

/** Answers with the person's data as a file. */
export const downloadExport = async (event: RequestEvent): Promise<Response> => {
	const { user } = requireFreshSession(event, signInPathTo('/settings#data', event.locals));
	// Refuses other bodies, whose form token was not checked.
	await postedFields(event);
	const data = await event.locals.app.exportAccount(user.email, { kind: 'person' });
	if (data === null) error(404, messages.faults.notFound);
	logEvent(event, 'data_exported', { events: data.events.length });
	return new Response(`${JSON.stringify(data, null, '\t')}\n`, {
		headers: {
			'content-type': 'application/json',
			'content-disposition': 'attachment; filename="account.json"',
			'cache-control': 'no-store'
		}
	});
};
