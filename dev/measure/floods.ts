import { setTimeout as sleep } from 'node:timers/promises';
import { call, SEND } from '../../tests/support/http/client.ts';
import { mailingThrough } from '../../tests/support/mail/mail-settings.ts';
import { startSmtpSink } from '../../tests/support/mail/smtp-sink.ts';
import type { BuiltServer } from '../../tests/support/process/built-server.ts';
import { ENGINES, timeOf, withServer, type Measure } from './kit.ts';

// R04 and S02: whether other clients get their codes while some send as many as they can.

const SECONDS = 20;
/** The longest time for an answer that counts, in milliseconds, and the share that must count. */
const SOON = 3_000;
const SHARE = 0.95;

interface FloodedSend {
	/** 0 for a connection that the server closed without an answer. */
	readonly status: number;
	/** The duration of the answer, in milliseconds. */
	readonly took: number;
}

interface Flood {
	/** Concurrent sends at the start, to fill the queue. */
	readonly burst: number;
	readonly perSecond: number;
	/** The client address of each send. */
	readonly client: (send: number) => string;
}

/** Requests a sign-in code from a client, over a connection of its own. */
export const timedSend = async (
	server: BuiltServer,
	email: string,
	client: string
): Promise<FloodedSend> => {
	const json = { email, type: 'sign-in' };
	const headers = { 'x-forwarded-for': client };
	let status = 0;
	const took = await timeOf(() =>
		call(server, SEND, { agent: false, json, headers }).then(
			(answer) => (status = answer.status),
			() => 0
		)
	);
	return { status, took };
};

/** Sends at a steady rate, whatever the outcome of earlier sends. */
const flood = async (
	server: BuiltServer,
	name: string,
	{ burst, perSecond, client }: Flood
): Promise<readonly FloodedSend[]> => {
	const sent: Promise<FloodedSend>[] = [];
	const began = performance.now();
	for (let send = 0; send < burst + perSecond * SECONDS; send += 1) {
		const wait = began + Math.max(0, send - burst) * (1000 / perSecond) - performance.now();
		if (wait > 0) await sleep(wait);
		sent.push(timedSend(server, `${name}-${send}@example.com`, client(send)));
	}
	return Promise.all(sent);
};

const OTHERS: Flood = { burst: 0, perSecond: 4, client: (send) => `198.51.${send}.1` };

const from48 = (send: number): string => `2001:db8:1:${(send % 256).toString(16)}::1`;
const from24s = (send: number): string => `203.0.${send % 30}.${1 + (Math.floor(send / 30) % 4)}`;

const othersDuring =
	(delay: number, floods: Readonly<Record<string, Flood>>): Measure =>
	async (report) => {
		const sink = await startSmtpSink({ delay });
		for (const engine of ENGINES) {
			for (const [name, order] of Object.entries(floods)) {
				await withServer(engine, mailingThrough(sink.port), async (server) => {
					const attack = flood(server, 'flood', order);
					const others = await flood(server, 'other', OTHERS);
					await attack;
					const served = others.filter(({ status, took }) => status === 200 && took < SOON);
					report({
						what: `other clients' sends with 200 in 3 s, ${name}, ${engine}`,
						measured: `${served.length} of ${others.length}`,
						bound: `${SHARE * 100} %`,
						isMet: served.length >= SHARE * others.length
					});
				});
			}
		}
		await sink.stop();
	};

/** R04. This mail server takes 20 emails a second, over five connections. */
export const slowMail = othersDuring(250, {
	'40 a second from one /48': { burst: 120, perSecond: 40, client: from48 },
	'40 a second from 30 /24s': { burst: 120, perSecond: 40, client: from24s }
});

/** S02. The limits allow 120 clients 40 sends a second, and a /48 80 a minute. */
export const sendFlood = othersDuring(0, {
	'120 clients in 30 /24s': { burst: 120, perSecond: 40, client: from24s },
	'256 /64s of one /48': { burst: 256, perSecond: 40, client: from48 }
});
