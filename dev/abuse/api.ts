import { Agent, request } from 'node:http';
import type { BuiltServer } from '../../tests/support/process/built-server.ts';
import { SEND, VERIFY } from '../../tests/support/http/client.ts';
import type { Puzzle } from '#lib/domain/proof/puzzles.ts';

/** What a client shows of itself. */
export interface Client {
	readonly address: string;
	/** The value of `X-Postern-Client`. Builds without known devices ignore it. */
	readonly key?: string;
	/** The answer to a challenge. */
	readonly proof?: string;
}

export interface Response {
	readonly status: number;
	/** In seconds. Zero if the response names no time. */
	readonly retryAfter: number;
	readonly challenge: Puzzle | null;
	readonly text: string;
}

/** More connections than any attack opens at once. */
const agent = new Agent({ keepAlive: true, maxSockets: 500 });

const post = (
	server: BuiltServer,
	path: string,
	json: object,
	{ address, key, proof }: Client
): Promise<Response> =>
	new Promise((resolve, reject) => {
		const body = JSON.stringify(json);
		const headers = {
			'content-type': 'application/json',
			'content-length': Buffer.byteLength(body),
			'x-forwarded-for': address,
			...(key !== undefined && { 'x-postern-client': key }),
			...(proof !== undefined && { 'x-postern-proof': proof })
		};
		const { port } = new URL(server.address);
		const outgoing = request(
			{ agent, host: '127.0.0.1', port, path, method: 'POST', headers },
			(incoming) => {
				let text = '';
				incoming.setEncoding('utf8').on('data', (piece: string) => (text += piece));
				incoming.on('error', reject).on('end', () => {
					const status = incoming.statusCode ?? 0;
					const retryAfter = Number(incoming.headers['retry-after'] ?? 0);
					resolve({ status, retryAfter, challenge: challengeIn(status, text), text });
				});
			}
		);
		outgoing.on('error', reject);
		outgoing.end(body);
	});

const challengeIn = (status: number, text: string): Puzzle | null =>
	status === 403 ? ((JSON.parse(text) as { challenge?: Puzzle }).challenge ?? null) : null;

export const requestCode = (
	server: BuiltServer,
	email: string,
	client: Client
): Promise<Response> => post(server, SEND, { email, type: 'sign-in' }, client);

export const enterCode = (
	server: BuiltServer,
	email: string,
	otp: string,
	client: Client
): Promise<Response> => post(server, VERIFY, { email, otp }, client);

/** A client address in network number `network` of those that begin with `first`. */
export const addressIn = (first: number, network: number, host: number): string =>
	`${first}.${network >> 8}.${network & 255}.${1 + (host % 250)}`;
