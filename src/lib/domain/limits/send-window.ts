import type { Network } from './sender.ts';
import { secondsAfter } from '../time.ts';

/** A counted send of a mailbox or of an account's known devices. */
export interface CountedPlace {
	readonly at: Date;
	/** The client network of an unknown client. Null for a known device. */
	readonly network: Network | null;
}

const isCounted = (now: Date, window: number): ((place: CountedPlace) => boolean) => {
	const since = secondsAfter(now, -window);
	const until = secondsAfter(now, window);
	return ({ at }) => at > since && at <= until;
};

/** The sends that count in the window before `now`. */
export const countedIn = (
	places: readonly CountedPlace[],
	now: Date,
	window: number
): readonly CountedPlace[] => places.filter(isCounted(now, window));

/**
 * Adds a send, newest first. When all places are in use, the oldest send that does not count is
 * replaced. So a send that counts is never dropped, even when a clock set back has left times out
 * of order. The caller has checked that one of them does not count.
 */
export const placeSend = (
	places: readonly CountedPlace[],
	send: CountedPlace,
	window: number,
	sends: number
): readonly CountedPlace[] => {
	const counts = isCounted(send.at, window);
	const free = places.length < sends ? -1 : places.findLastIndex((place) => !counts(place));
	return [send, ...places.filter((_, index) => index !== free)];
};

/** Removes one send of this time. Null when there is none. */
export const withoutSend = (
	places: readonly CountedPlace[],
	at: Date
): readonly CountedPlace[] | null => {
	const index = places.findIndex((place) => place.at.getTime() === at.getTime());
	return index === -1 ? null : places.filter((_, other) => other !== index);
};

/**
 * When the oldest counted send leaves the window. A clock can have been set back, so it is at most
 * one window from now.
 */
export const freeAt = (counted: readonly CountedPlace[], now: Date, window: number): Date => {
	const latest = secondsAfter(now, window);
	const oldest = new Date(Math.min(...counted.map(({ at }) => at.getTime())));
	const free = secondsAfter(oldest, window);
	return free < latest ? free : latest;
};
