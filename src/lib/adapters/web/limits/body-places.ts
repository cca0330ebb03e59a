import type { IncomingMessage, ServerResponse } from 'node:http';
import { limitKey, networkPrefix } from '../client-address.ts';
import { arrivingBody, drop, slowestOf, stalledFor, type ArrivingBody } from './arriving-body.ts';

export interface BodyPlacesOptions {
	/** The address a request counts for. */
	readonly addressOf: (request: IncomingMessage) => string;
	/** Answers a request whose client has all its places in use. */
	readonly refuse: Serve;
	/** Milliseconds by a monotonic clock. */
	readonly elapsed: () => number;
	/** Bodies that may be arriving at once, of one client and in total. */
	readonly perClient?: number;
	readonly total?: number;
	/** How long a body may bring nothing, in milliseconds. */
	readonly patience?: number;
	/** How young a body is not dropped for being slow while there are older ones, in milliseconds. */
	readonly young?: number;
}

type Serve = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * At most 64 KiB is held of each, and as much again in the streams around it: all places together cost
 * about 20 MB. A body that arrives in one piece with its headers needs no place.
 */
export const PLACES_PER_CLIENT = 16;
export const PLACES = 128;
export const BODY_PATIENCE = 10_000;
const YOUNG = 1000;

/**
 * Bounds the bodies that are arriving at once, by whatever code they are read. A client that has all
 * its places in use loses its slowest body to a new one. When all places of all clients are taken, the
 * network that holds most of them loses its slowest body, so that no network can keep the others out.
 * A body that stops arriving is dropped as well.
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
		young = YOUNG
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
			// Where all of them have just begun, the oldest one comes first.
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
	setInterval(dropStalled, patience / 10).unref();

	return (request, response) => {
		if (!hasBody(request)) return serve(request, response);
		// A body that came in one piece with its headers is complete by then.
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
