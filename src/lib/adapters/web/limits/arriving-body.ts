import type { IncomingMessage, ServerResponse } from 'node:http';

/** A request whose body has not arrived completely. */
export interface ArrivingBody {
	readonly request: IncomingMessage;
	readonly response: ServerResponse;
	readonly client: string;
	readonly network: string;
	/** In milliseconds of a monotonic clock, like all times in this file. */
	readonly began: number;
	/** Bytes that the connection had already received, for example for earlier requests. */
	readonly bytesBefore: number;
	bytesSeen: number;
	/** When the last byte arrived. */
	progressAt: number;
}

export const arrivingBody = (
	request: IncomingMessage,
	response: ServerResponse,
	source: Pick<ArrivingBody, 'client' | 'network'>,
	now: number
): ArrivingBody => {
	const { bytesRead } = request.socket;
	return {
		...{ request, response, ...source },
		...{ began: now, progressAt: now, bytesBefore: bytesRead, bytesSeen: bytesRead }
	};
};

/** How many milliseconds ago the body last made progress. */
export const stalledFor = (body: ArrivingBody, now: number): number => {
	const { bytesRead } = body.request.socket;
	// Bytes that the server has not read yet block the rest, so the client is not to blame.
	if (bytesRead !== body.bytesSeen || body.request.readableLength > 0) {
		body.bytesSeen = bytesRead;
		body.progressAt = now;
	}
	return now - body.progressAt;
};

/**
 * Returns the body with the lowest transfer rate; between equal rates, the oldest. Returns
 * undefined if all bodies are younger than `young` milliseconds, because their rates are not
 * meaningful yet.
 */
export const slowestOf = (
	bodies: readonly ArrivingBody[],
	now: number,
	young: number
): ArrivingBody | undefined => {
	const rate = (body: ArrivingBody): number =>
		(body.request.socket.bytesRead - body.bytesBefore) / (now - body.began);
	return bodies
		.filter((body) => now - body.began >= young)
		.toSorted((one, other) => rate(one) - rate(other))[0];
};

const TIMED_OUT = 'HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n';

/**
 * Sends the same error as Node does for slow clients, unless the response to this or an earlier
 * request has begun.
 */
export const drop = ({ request, response }: ArrivingBody): void => {
	const { socket } = request;
	if (response.socket === socket && !response.headersSent && socket.writable) {
		socket.write(TIMED_OUT);
	}
	socket.destroy();
};
