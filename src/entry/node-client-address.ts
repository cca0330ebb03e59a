import type { IncomingMessage } from 'node:http';
import type { TrustedProxies } from '#lib/config/addresses.ts';
import { clientAddressReader } from '#lib/adapters/web/edge/limits/client-address.ts';

/** Reads the client address before the framework sees the request, by the same rules. */
export const nodeClientAddress = (
	trusted: TrustedProxies
): ((request: IncomingMessage) => string) => {
	const read = clientAddressReader(trusted);
	return ({ headers, socket }) =>
		read({
			peer: socket.remoteAddress,
			forwardedFor: headers['x-forwarded-for']?.toString() ?? null,
			realIp: headers['x-real-ip']?.toString() ?? null
		});
};
