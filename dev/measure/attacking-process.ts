import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request, type OutgoingHttpHeaders } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { openBrowser } from '../../tests/support/http/browser.ts';
import { call, nextClient, times, type Server } from '../../tests/support/http/client.ts';
import { pathologicalForms } from './worst-forms.ts';

/** What each client sends: the worst bodies, half of them never sent whole, and pages; or pages alone. */
type Kind = 'bodies and pages' | 'pages';

/** Attacks for ten seconds. A separate process does it, because its work would slow down the measurement. */
export const attack = async (address: string, clients: number, kind: Kind): Promise<void> => {
	const args = [fileURLToPath(import.meta.url), address, String(clients), kind];
	const [code] = await once(spawn(process.execPath, args, { stdio: 'inherit' }), 'close');
	if (code !== 0) throw new Error(`the attack ended with ${code}`);
};

const MILLISECONDS = 10_000;

interface Shot {
	readonly path: string;
	readonly method?: string;
	readonly headers?: OutgoingHttpHeaders;
	/** Whether the code key is sent. */
	readonly asBrowser?: boolean;
	readonly body?: string;
}

const KIB = 1024;
const SIZES = [64 * KIB, 512 * KIB];

const jsonBodies = (bytes: number): readonly string[] => [
	`${'['.repeat(bytes / 2)}${']'.repeat(bytes / 2)}`,
	`{${times(bytes / 12, (number) => `"k${number}":1`).join(',')}}`,
	...['\\u0041', '@', 'b.'].map(
		(piece) => `{"email":"a@${piece.repeat(bytes / piece.length - 20)}"}`
	)
];

/** The requests that cost most, each of which gets an answer. */
export const worstShots = (address: string): readonly Shot[] => [
	...SIZES.flatMap(pathologicalForms).flatMap(({ type, body }) =>
		['/', '/auth/sign-in?/request', '/docs'].map((path) => {
			const headers = { origin: address, 'content-type': type };
			return { path, method: 'POST', asBrowser: true, headers, body };
		})
	),
	...SIZES.flatMap(jsonBodies).map((body) => {
		const headers = { 'content-type': 'application/json' };
		return { path: '/api/auth/sign-in/email-otp', method: 'POST', headers, body };
	}),
	{ path: '/', asBrowser: true, headers: { 'x-wide': 'a=b; '.repeat(2500) } },
	{ path: `/auth/sign-in?${'a&'.repeat(7000)}` },
	{ path: `/docs?${'%41&'.repeat(3500)}`, asBrowser: true },
	{ path: '/', headers: { cookie: 'a=b; '.repeat(2500) } }
];

const pages = [
	...['/', '/contact', '/roadmap', '/changelog', '/auth/sign-in', '/auth/sign-up', '/docs'],
	...['/docs/nope', '/nope', '/docs/__data.json', '/api/auth/openapi.json']
].flatMap((path): Shot[] => [{ path }, { path, method: 'HEAD' }]);

/** The headers of a client, with a code key as every page sets it. */
export const openClient = async (server: Server, from = nextClient()) => {
	const browser = openBrowser(server);
	await browser.open('/auth/sign-in');
	return ({ asBrowser, headers }: Shot): OutgoingHttpHeaders => ({
		'x-forwarded-for': from,
		...(asBrowser === true && { cookie: browser.cookies() }),
		...headers
	});
};

const agent = new Agent({ keepAlive: true });

/** Sends all but the last byte, and leaves the connection open, so that it keeps its place. */
const sendHalf = ({ address }: Server, { path, body = '' }: Shot, headers: OutgoingHttpHeaders) =>
	request(address + path, {
		agent,
		method: 'POST',
		headers: { ...headers, 'content-length': Buffer.byteLength(body) }
	})
		.on('error', () => undefined)
		.write(body.slice(0, -1));

const carryOut = async (address: string, clients: number, kind: Kind): Promise<void> => {
	const server = { address };
	const whole = worstShots(address);
	const halves = whole
		.filter(({ body }) => body !== undefined)
		.map((shot) => ({ ...shot, isHalf: true }));
	const shots: readonly (Shot & { readonly isHalf?: true })[] =
		kind === 'pages' ? pages : [...whole, ...halves, ...pages, ...pages];
	const until = performance.now() + MILLISECONDS;
	const attackers = times(clients, async (client) => {
		const headersOf = await openClient(server, `203.0.${client}.${client + 1}`);
		// Each starts at another one and then uses all of them.
		for (let round = client * 37; performance.now() < until; round += 13) {
			const shot = shots[round % shots.length];
			if (shot?.isHalf) sendHalf(server, shot, headersOf(shot));
			else if (shot) {
				const sent = call(server, shot.path, { ...shot, headers: headersOf(shot) });
				await Promise.race([sent.catch(() => undefined), pause(2000)]);
			}
		}
	});
	await Promise.all(attackers);
};

if (process.argv[1] === fileURLToPath(import.meta.url)) {
	const [address = '', clients, kind] = process.argv.slice(2);
	await carryOut(address, Number(clients), kind as Kind);
	process.exit();
}
