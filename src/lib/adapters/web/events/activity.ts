import type { RequestEvent } from '@sveltejs/kit';
import type { AccountEvent } from '#lib/domain/events/ports.ts';
import type { EventPage } from '#lib/domain/events/use-cases.ts';
import { parseEventId, type EventId } from '#lib/domain/ids.ts';
import { describeDevice } from '#lib/messages/device-name.ts';
import { messages } from '#lib/messages/messages.ts';
import { requireUser } from '../edge/require-user.ts';

const { activity: texts } = messages;

/** Events of one page. */
const SHOWN = 50;

interface ShownEvents {
	/** The cursor of the next page. Null on the last one. */
	readonly older: EventId | null;
	readonly events: readonly {
		readonly id: EventId;
		readonly at: Date;
		/** It counts the hour that begins at `at`. */
		readonly isHourly: boolean;
		readonly text: string;
		/** The device, or who did it. */
		readonly by: string | null;
	}[];
}

/** The event after which this page begins. Null on the first one. */
export const eventCursor = ({ url }: RequestEvent): EventId | null =>
	parseEventId(url.searchParams.get('before') ?? '');

/** The list of a person's own events. */
export const loadActivity = async (
	event: RequestEvent
): Promise<ShownEvents & { readonly days: number }> => {
	const { app } = event.locals;
	const page = await app.readActivity(requireUser(event).id, eventCursor(event), SHOWN);
	return { days: app.config.eventsDays, ...shownEvents(page) };
};

export const shownEvents = ({ events, next }: EventPage): ShownEvents => ({
	older: next,
	events: events.map(({ id, kind, at, count, detail, actor, userAgent }: AccountEvent) => ({
		id,
		at,
		isHourly: kind === 'code_sent' || kind === 'code_refused',
		text: texts.event(kind, count, detail),
		by: actor.kind === 'operator' ? texts.byOperator : userAgent ? describeDevice(userAgent) : null
	}))
});
