import { Agent, request } from 'node:http';

export interface Request {
	readonly method: 'GET' | 'POST';
	readonly path: string;
	readonly headers: Readonly<Record<string, string>>;
	/** Sent as `application/json`. */
	readonly json?: unknown;
	/** Text that the response must contain. */
	readonly expects: string;
}

export interface Answer {
	readonly text: string;
	readonly setCookies: readonly string[];
}

/** The number of client addresses. Low enough that each one is used again. */
const CLIENTS = 5000;
/** The timeout of a request, in milliseconds. */
const PATIENCE = 30_000;

const agent = new Agent({ keepAlive: true });
let count = 0;

/**
 * Sends one request. The client addresses take turns.
 *
 * @throws with a short reason when the response is not 200 or lacks the expected text
 */
export const ask = (address: string, { expects, json, ...wanted }: Request): Promise<Answer> => {
	count += 1;
	const client = count % CLIENTS;
	const body = json === undefined ? '' : JSON.stringify(json);
	const headers = {
		...wanted.headers,
		'x-forwarded-for': `10.${client & 255}.${client >> 8}.1`,
		...(json === undefined ? {} : { 'content-type': 'application/json' }),
		...(wanted.method === 'GET' ? {} : { 'content-length': Buffer.byteLength(body) })
	};
	return new Promise((resolve, reject) => {
		const outgoing = request(
			new URL(wanted.path, address),
			{ agent, method: wanted.method, headers, timeout: PATIENCE },
			(incoming) => {
				const chunks: Buffer[] = [];
				incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
				incoming.on('error', reject);
				incoming.on('end', () => {
					const text = Buffer.concat(chunks).toString('utf8');
					if (incoming.statusCode !== 200) reject(new Error(`status ${incoming.statusCode}`));
					else if (!text.includes(expects)) reject(new Error('another answer than expected'));
					else resolve({ text, setCookies: incoming.headers['set-cookie'] ?? [] });
				});
			}
		);
		outgoing.on('timeout', () => outgoing.destroy(new Error('no answer in 30 s')));
		outgoing.on('error', reject);
		outgoing.end(body);
	});
};
