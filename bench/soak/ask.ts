import { Agent, request } from 'node:http';

export interface Request {
	readonly method: 'GET' | 'POST';
	readonly path: string;
	readonly headers: Readonly<Record<string, string>>;
	/** Sent as `application/json`. */
	readonly json?: unknown;
	/** What the text of a right answer holds. */
	readonly expects: string;
}

export interface Answer {
	readonly text: string;
	readonly setCookies: readonly string[];
}

/** Clients that our limits are to tell apart; few enough that each of them comes again. */
const CLIENTS = 5000;
/** When to give up on an answer, in milliseconds. */
const PATIENCE = 30_000;

const agent = new Agent({ keepAlive: true });
let asked = 0;

/**
 * One request, as from one of some thousand clients.
 *
 * @throws with a short reason when the answer is not a 200 that holds what it should
 */
export const ask = (address: string, { expects, json, ...wanted }: Request): Promise<Answer> => {
	asked += 1;
	const client = asked % CLIENTS;
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
