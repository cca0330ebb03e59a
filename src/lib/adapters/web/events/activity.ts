import type { RequestEvent } from '@sveltejs/kit';
import type { EventPage } from '#lib/domain/events/use-cases.ts';
import { parseEventId, type EventId } from '#lib/domain/ids.ts';
import { describeDevice } from '#lib/messages/device-name.ts';
import { messages } from '#lib/messages/messages.ts';
import { requireUser } from '../edge/require-user.ts';

const { activity: texts } = messages;

/** Events of one page. */
const SHOWN = 50;

/** The event after which this page begins. Null on the first one. */
export const eventCursor = ({ url }: RequestEvent): EventId | null =>
	parseEventId(url.searchParams.get('before') ?? '');

/** The list of a person's own events. */
export const loadActivity = async (event: RequestEvent) => {
	const { app } = event.locals;
	const page = await app.readActivity(requireUser(event).id, eventCursor(event), SHOWN);
	return { days: app.config.eventsDays, ...shownEvents(page) };
};

/** A page of events in words, with the cursor of the next one. */
export const shownEvents = ({ events, next }: EventPage) => ({
	older: next,
	events: events.map(({ id, kind, at, count, detail, actor, userAgent }) => ({
		id,
		at,
		/** It counts the hour that begins at `at`. */
		isHourly: kind === 'code_sent' || kind === 'code_refused',
		text: texts.event(kind, count, detail),
		/** The device, or who did it. */
		by: actor.kind === 'operator' ? texts.byOperator : userAgent ? describeDevice(userAgent) : null
	}))
});
