import type { IncomingMessage, ServerResponse } from 'node:http';
import { limitKey, networkPrefix } from './client-address.ts';
import { arrivingBody, drop, slowestOf, stalledFor, type ArrivingBody } from './arriving-body.ts';

export interface BodyPlacesOptions {
	/** The address to which a request is attributed. */
	readonly addressOf: (request: IncomingMessage) => string;
	/** Answers a request whose client has no free place. */
	readonly refuse: Serve;
	/** Milliseconds of a monotonic clock. */
	readonly elapsed: () => number;
	/** How many bodies may arrive at the same time, per client and in total. */
	readonly perClient?: number;
	readonly total?: number;
	/** How many milliseconds a body may make no progress. */
	readonly patience?: number;
	/**
	 * A body younger than this many milliseconds is not dropped as slow while there are older ones.
	 */
	readonly young?: number;
	/** Runs work regularly. By default with a timer that does not keep the process alive. */
	readonly repeat?: (work: () => void, milliseconds: number) => void;
}

type Serve = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * Each body buffers at most 64 KiB, and as much again in its streams. All places together take
 * about 20 MB. A body that arrives together with its headers needs no place.
 */
export const PLACES_PER_CLIENT = 16;
export const PLACES = 128;
export const BODY_PATIENCE = 10_000;
const YOUNG = 1000;

/**
 * Bounds how many request bodies may arrive at the same time, whichever code reads them. If a
 * client has no free place, its slowest body is dropped for a new one. If all places are taken, the
 * network with the most places loses its slowest body, so no network can block the others. Bodies
 * that make no progress are dropped as well.
 */
export const withBodyPlaces = (
	serve: Serve,
	{
		addressOf,
		refuse,
		elapsed,
		perClient = PLACES_PER_CLIENT,
		total = PLACES,
		patience = BODY_PATIENCE,
		young = YOUNG,
		repeat = (work, milliseconds) => void setInterval(work, milliseconds).unref()
	}: BodyPlacesOptions
): Serve => {
	const places = new Set<ArrivingBody>();

	const free = (place: ArrivingBody): void => {
		places.delete(place);
		drop(place);
	};
	const removeFinished = (): void => {
		for (const place of places) if (hasArrived(place.request)) places.delete(place);
	};

	const takePlace = (request: IncomingMessage, response: ServerResponse): boolean => {
		removeFinished();
		const now = elapsed();
		const address = addressOf(request);
		const source = { client: limitKey(address), network: networkPrefix(address) };
		const own = [...places].filter(({ client }) => client === source.client);
		if (own.length >= perClient) {
			const slowest = slowestOf(own, now, young);
			if (slowest === undefined) return false;
			free(slowest);
		}
		if (places.size >= total) {
			const largest = largestNetwork(places);
			// If all of them have just started, drop the oldest.
			const loser = slowestOf(largest, now, young) ?? largest[0];
			if (loser !== undefined) free(loser);
		}
		const place = arrivingBody(request, response, source, now);
		places.add(place);
		request.once('close', () => places.delete(place));
		return true;
	};

	const dropStalled = (): void => {
		removeFinished();
		const now = elapsed();
		for (const place of places) if (stalledFor(place, now) >= patience) free(place);
	};
	repeat(dropStalled, patience / 10);

	return (request, response) => {
		if (!hasBody(request)) return serve(request, response);
		// A body that arrived together with its headers is complete when this runs.
		setImmediate(() => {
			if (hasArrived(request) || takePlace(request, response)) serve(request, response);
			else refuse(request, response);
		});
	};
};

const hasBody = ({ headers }: IncomingMessage): boolean =>
	headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

const hasArrived = ({ complete, destroyed }: IncomingMessage): boolean => complete || destroyed;

const largestNetwork = (places: Iterable<ArrivingBody>): readonly ArrivingBody[] =>
	[...Map.groupBy(places, ({ network }) => network).values()].reduce(
		(largest, bodies) => (bodies.length > largest.length ? bodies : largest),
		[]
	);
