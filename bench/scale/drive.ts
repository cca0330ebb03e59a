import autocannon from 'autocannon';

export interface Drive {
	readonly url: string;
	readonly path: string;
	readonly amount: number;
	readonly connections: number;
	/** The headers and the body of the next request. */
	next(): { readonly headers: Readonly<Record<string, string>>; readonly json?: unknown };
}

let clients = 0;

/** An address that made no request in the last minute, so that our limits do not apply. */
export const nextClient = (): string => {
	clients = (clients + 1) % 2 ** 24;
	return `10.${clients & 255}.${(clients >> 8) & 255}.${clients >> 16}`;
};

/**
 * Sends `amount` requests over `connections` connections. Each connection sends the next request as
 * soon as the response before has arrived. Returns microseconds per request.
 *
 * @throws when a response is not 200
 */
export const drive = async ({ url, path, amount, connections, next }: Drive): Promise<number> => {
	const began = performance.now();
	let answered = began;
	const { errors, non2xx, statusCodeStats } = await autocannon({
		url,
		amount,
		connections,
		// The tool ends at a sample, so its own duration is too long. The last response counts.
		sampleInt: 50,
		setupClient: (client) => void client.on('response', () => (answered = performance.now())),
		requests: [
			{
				path,
				setupRequest: (request) => {
					const { headers, json } = next();
					const all = { ...headers, 'x-forwarded-for': nextClient() };
					if (json === undefined) return { ...request, headers: all };
					return {
						...request,
						method: 'POST',
						headers: { ...all, 'content-type': 'application/json' },
						body: JSON.stringify(json)
					};
				}
			}
		]
	});
	if (errors > 0 || non2xx > 0) {
		throw new Error(`${path}: ${errors} errors, answers ${JSON.stringify(statusCodeStats)}`);
	}
	return ((answered - began) * 1000) / amount;
};
