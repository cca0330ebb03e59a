import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BuiltServer } from '../process/built-server.ts';
import { SEND } from '../http/client.ts';

export interface FloodedSend {
	readonly email: string;
	readonly status: number;
	readonly retryAfter: string | undefined;
	/** The duration of the answer, in milliseconds. */
	readonly took: number;
}

export interface FloodOptions {
	/** Concurrent sends at the start, to fill the queue. */
	readonly burst: number;
	readonly perSecond: number;
	readonly seconds: number;
	/** The client address of each send. */
	readonly client: (send: number) => string;
	/** The beginning of each email address. */
	readonly name: string;
}

/** More than any test opens: waiting requests must not wait for a connection of ours. */
const agent = new Agent({ keepAlive: true, maxSockets: 2_000 });

/** Requests a sign-in code from a client, over a connection of its own. */
export const timedSend = (
	{ address }: BuiltServer,
	email: string,
	client: string
): Promise<FloodedSend> =>
	new Promise((resolve, reject) => {
		const body = JSON.stringify({ email, type: 'sign-in' });
		const began = performance.now();
		const outgoing = request(
			{
				agent,
				host: '127.0.0.1',
				port: new URL(address).port,
				path: SEND,
				method: 'POST',
				headers: {
					'x-forwarded-for': client,
					'content-type': 'application/json',
					'content-length': Buffer.byteLength(body)
				}
			},
			(incoming) => {
				const { statusCode = 0, headers } = incoming;
				incoming.resume().once('end', () => {
					const took = performance.now() - began;
					resolve({ email, status: statusCode, retryAfter: headers['retry-after'], took });
				});
			}
		);
		outgoing.on('error', reject);
		outgoing.end(body);
	});

/** Sends at a steady rate, whatever the outcome of earlier sends. */
export const flood = async (
	server: BuiltServer,
	{ burst, perSecond, seconds, client, name }: FloodOptions
): Promise<readonly FloodedSend[]> => {
	const sent: Promise<FloodedSend>[] = [];
	const began = performance.now();
	for (let send = 0; send < burst + perSecond * seconds; send += 1) {
		const due = began + Math.max(0, send - burst) * (1000 / perSecond);
		if (performance.now() < due) await sleep(due - performance.now());
		sent.push(timedSend(server, `${name}-${send}@example.com`, client(send)));
	}
	return Promise.all(sent);
};
