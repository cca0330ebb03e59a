import autocannon from 'autocannon';

export interface Drive {
	readonly url: string;
	readonly path: string;
	readonly amount: number;
	readonly connections: number;
	/** What the next request carries. */
	next(): { readonly headers: Readonly<Record<string, string>>; readonly json?: unknown };
}

let clients = 0;

/** The address of a client that has not asked for a minute: what our limits do is not measured here. */
export const nextClient = (): string => {
	clients = (clients + 1) % 2 ** 24;
	return `10.${clients & 255}.${(clients >> 8) & 255}.${clients >> 16}`;
};

/**
 * Sends so many requests over so many connections, each as soon as the one before is answered.
 * Returns microseconds per request.
 *
 * @throws when anything but 200 comes back
 */
export const drive = async ({ url, path, amount, connections, next }: Drive): Promise<number> => {
	const began = performance.now();
	let answered = began;
	const { errors, non2xx, statusCodeStats } = await autocannon({
		url,
		amount,
		connections,
		// It ends with one of its samples, so when that is says nothing.
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
