import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BuiltServer } from '../process/built-server.ts';
import { SEND } from '../http/client.ts';

export interface FloodedSend {
	readonly email: string;
	/** 0 for a connection that the server closed without an answer. */
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

/** A connection for each request, so that none waits for another, or meets one that just closes. */
const agent = new Agent({ keepAlive: false });

/** Requests a sign-in code from a client, over a connection of its own. */
export const timedSend = (
	{ address }: BuiltServer,
	email: string,
	client: string
): Promise<FloodedSend> =>
	new Promise((resolve) => {
		const body = JSON.stringify({ email, type: 'sign-in' });
		const began = performance.now();
		const end = (status: number, retryAfter?: string): void =>
			resolve({ email, status, retryAfter, took: performance.now() - began });
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
				incoming.resume().once('end', () => end(statusCode, headers['retry-after']));
			}
		);
		outgoing.on('error', () => end(0));
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
		const wait = began + Math.max(0, send - burst) * (1000 / perSecond) - performance.now();
		if (wait > 0) await sleep(wait);
		sent.push(timedSend(server, `${name}-${send}@example.com`, client(send)));
	}
	return Promise.all(sent);
};
