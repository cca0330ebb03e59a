import { parseEventId } from '../ids.ts';
import type { EventCursor } from './ports.ts';

/** A cursor as text, for a link or a command. */
export const cursorText = (cursor: EventCursor | null): string | null =>
	cursor && `${cursor.at.getTime()}.${cursor.id}`;

/** Null for any other text. */
export const parseCursor = (text: string | null): EventCursor | null => {
	// Longer times are none that both databases can compare.
	const [, time = '', typed = ''] = /^(\d{1,13})\.(.+)$/.exec(text ?? '') ?? [];
	const id = parseEventId(typed);
	return id && { at: new Date(Number(time)), id };
};
