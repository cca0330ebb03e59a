import type { RequestEvent } from '@sveltejs/kit';
import { cursorText, parseCursor } from '#lib/domain/events/cursor.ts';
import type { AccountEvent } from '#lib/domain/events/ports.ts';
import { describeDevice } from '#lib/messages/device-name.ts';
import { messages } from '#lib/messages/messages.ts';
import { requireUser } from '../edge/require-user.ts';

const { activity: texts } = messages;

/** Events of one page. */
const SHOWN = 50;

interface ShownEvent {
	readonly id: string;
	readonly at: Date;
	/** It counts the hour that begins at `at`. */
	readonly isHourly: boolean;
	readonly text: string;
	/** The device, or who did it. */
	readonly by: string | null;
}

interface ActivityPage {
	/** How long events are kept. */
	readonly days: number;
	readonly isFirst: boolean;
	/** The cursor of the next page. Null on the last one. */
	readonly older: string | null;
	readonly events: readonly ShownEvent[];
}

/** The list of a person's own events. */
export const loadActivity = async (event: RequestEvent): Promise<ActivityPage> => {
	const { app } = event.locals;
	const before = parseCursor(event.url.searchParams.get('before'));
	const { events, next } = await app.readActivity(requireUser(event).id, before, SHOWN);
	return {
		days: app.config.eventsDays,
		isFirst: before === null,
		older: cursorText(next),
		events: events.map(shownEvent)
	};
};

const shownEvent = (event: AccountEvent): ShownEvent => {
	const { id, kind, at, actor, userAgent } = event;
	const isHourly = kind === 'code_sent' || kind === 'code_refused';
	const device = actor.kind === 'person' && userAgent ? describeDevice(userAgent) : null;
	const by = actor.kind === 'operator' ? texts.byOperator : device;
	return { id, at, isHourly, text: textOf(event), by };
};

const textOf = ({ kind, count, detail }: AccountEvent): string => {
	switch (kind) {
		case 'session_ended':
		case 'code_sent':
		case 'code_refused':
			return texts.events[kind](count);
		case 'email_changed':
		case 'email_change_undone':
			return texts.events[kind](detail);
		default:
			return texts.events[kind];
	}
};
