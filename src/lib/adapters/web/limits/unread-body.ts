import type { IncomingMessage, ServerResponse } from 'node:http';

/**
 * Ends the connection of a request that was answered before its body had arrived whole. Node would
 * otherwise read and discard the rest, and 64 KiB of one-byte chunks cost it 20 ms.
 */
export const closeUnread = (request: IncomingMessage, response: ServerResponse): void => {
	response.once('finish', () => {
		// The response is with the system by now, or goes out before the connection closes.
		if (!request.complete) request.socket.destroySoon();
	});
};
