import type { RequestEvent } from '@sveltejs/kit';
import { COUNTED_KINDS, type EventPage } from '#lib/domain/events/ports.ts';
import { parseEventId, type EventId } from '#lib/domain/ids.ts';
import { describeDevice } from '#lib/device-name.ts';
import { messages } from '#lib/messages/messages.ts';
import { requireUser } from '../edge/require-user.ts';

const { activity: texts } = messages;

/** The id of the last event on the previous page, from the URL. Null on the first page. */
export const cursorOf = ({ url }: RequestEvent): EventId | null =>
	parseEventId(url.searchParams.get('before') ?? '');

export const loadActivity = async (event: RequestEvent) => {
	const { app } = event.locals;
	const page = await app.readActivity(requireUser(event).id, cursorOf(event));
	return { days: app.config.eventsDays, ...shownEvents(page) };
};

export const shownEvents = ({ events, next }: EventPage) => ({
	older: next,
	events: events.map(({ id, kind, at, count, detail, actor, userAgent }) => ({
		id,
		at,
		/** Whether it counts what happened in the hour that begins at `at`. */
		isHourly: COUNTED_KINDS.some((counted) => counted === kind),
		text: texts.event(kind, count, detail),
		by: actor.kind === 'operator' ? texts.byOperator : deviceOf(userAgent)
	}))
});

const deviceOf = (userAgent: string | null): string | null =>
	userAgent ? describeDevice(userAgent) : null;
