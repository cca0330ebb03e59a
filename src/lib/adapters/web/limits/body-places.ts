import type { IncomingMessage, ServerResponse } from 'node:http';
import { limitKey, networkPrefix } from '../client-address.ts';

export interface BodyPlacesOptions {
	/** The address a request counts for. */
	readonly addressOf: (request: IncomingMessage) => string;
	/** Answers a request whose client has all its places in use. */
	readonly refuse: (request: IncomingMessage, response: ServerResponse) => void;
	/** Bodies that may be arriving at once, of one client and in total. */
	readonly perClient?: number;
	readonly total?: number;
	/** How long a body may bring nothing, in milliseconds. */
	readonly patience?: number;
}

type Serve = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * With 64 KiB held of each and what the streams around it hold, all places together cost about 40 MB.
 * A form of our own pages arrives with its headers and needs no place.
 */
export const PLACES_PER_CLIENT = 16;
export const PLACES = 256;
export const BODY_PATIENCE = 10_000;
/** How young a body is never dropped while older ones hold places, in milliseconds. */
const YOUNG = 1000;

interface Place {
	readonly request: IncomingMessage;
	readonly response: ServerResponse;
	readonly client: string;
	readonly network: string;
	readonly began: number;
	/** Of the connection, which earlier requests may have used. */
	readonly bytesBefore: number;
	bytesSeen: number;
	/** When the last byte was seen to arrive. */
	progressAt: number;
}

/**
 * Bounds the bodies that are arriving at once, whoever reads them. When all places are taken, the
 * slowest body of the network that holds most of them is dropped, so that no network can keep the
 * others out. A body that stops arriving is dropped as well.
 */
export const withBodyPlaces = (
	serve: Serve,
	{
		addressOf,
		refuse,
		perClient = PLACES_PER_CLIENT,
		total = PLACES,
		patience = BODY_PATIENCE
	}: BodyPlacesOptions
): Serve => {
	const places = new Set<Place>();

	const removeFinished = (): void => {
		for (const place of places) if (hasArrived(place.request)) places.delete(place);
	};

	const takePlace = (request: IncomingMessage, response: ServerResponse): boolean => {
		removeFinished();
		const address = addressOf(request);
		const client = limitKey(address);
		if (countOf(places, 'client').get(client) === perClient) return false;
		if (places.size === total) {
			const slowest = slowestOfLargestNetwork(places);
			places.delete(slowest);
			drop(slowest);
		}
		const now = performance.now();
		const { bytesRead } = request.socket;
		const place: Place = {
			request,
			response,
			client,
			network: networkPrefix(address),
			began: now,
			bytesBefore: bytesRead,
			bytesSeen: bytesRead,
			progressAt: now
		};
		places.add(place);
		request.once('close', () => places.delete(place));
		return true;
	};

	const dropStalled = (): void => {
		removeFinished();
		const now = performance.now();
		for (const place of places) {
			const { bytesRead } = place.request.socket;
			// Bytes that nobody has read yet hold up the rest: the client is not the one to wait for.
			if (bytesRead !== place.bytesSeen || place.request.readableLength > 0) {
				place.bytesSeen = bytesRead;
				place.progressAt = now;
			} else if (now - place.progressAt >= patience) {
				places.delete(place);
				drop(place);
			}
		}
	};
	setInterval(dropStalled, patience / 10).unref();

	return (request, response) => {
		if (!hasBody(request)) return serve(request, response);
		// A body that came in one piece with its headers is complete by the next tick.
		process.nextTick(() => {
			if (hasArrived(request) || takePlace(request, response)) serve(request, response);
			else refuse(request, response);
		});
	};
};

const hasBody = ({ headers }: IncomingMessage): boolean =>
	headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

const hasArrived = ({ complete, destroyed }: IncomingMessage): boolean => complete || destroyed;

const countOf = (places: Iterable<Place>, by: 'client' | 'network'): Map<string, number> => {
	const counts = new Map<string, number>();
	for (const place of places) counts.set(place[by], (counts.get(place[by]) ?? 0) + 1);
	return counts;
};

/** Of equally slow ones the oldest, which comes first. */
const slowestOfLargestNetwork = (places: ReadonlySet<Place>): Place => {
	const counts = countOf(places, 'network');
	const most = Math.max(...counts.values());
	const now = performance.now();
	const speed = ({ request, began, bytesBefore }: Place): number =>
		now - began < YOUNG ? Infinity : (request.socket.bytesRead - bytesBefore) / (now - began);
	return [...places]
		.filter(({ network }) => counts.get(network) === most)
		.reduce((slowest, place) => (speed(place) < speed(slowest) ? place : slowest));
};

const TIMED_OUT = 'HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n';

/** Says why, as Node does to slow clients, unless an answer to this or an earlier request has begun. */
const drop = ({ request, response }: Place): void => {
	const { socket } = request;
	if (response.socket === socket && !response.headersSent && socket.writable) {
		socket.write(TIMED_OUT);
	}
	socket.destroy();
};
