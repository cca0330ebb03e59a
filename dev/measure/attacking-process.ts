import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request, type OutgoingHttpHeaders } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { pathologicalForms } from './worst-forms.ts';

/** A separate process attacks the server, so that its work does not slow down the measurement. */
export interface Attack {
	readonly address: string;
	readonly clients: number;
	readonly milliseconds: number;
	/** The worst bodies, half of them never sent whole, together with pages; or pages alone. */
	readonly with: 'bodies and pages' | 'pages';
	readonly pages: readonly string[];
}

export const PUBLIC_PAGES = [
	...['/', '/contact', '/roadmap', '/changelog', '/auth/sign-in', '/auth/sign-up', '/docs'],
	...['/docs/nope', '/nope', '/docs/__data.json', '/api/auth/openapi.json']
];

/** How often each status was answered; 0 for a closed connection. */
export const attack = async (order: Attack): Promise<Record<string, number>> => {
	const script = fileURLToPath(import.meta.url);
	const child = spawn(process.execPath, [script, JSON.stringify(order)], {
		stdio: ['ignore', 'pipe', 'inherit']
	});
	let output = '';
	child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
	const [code] = (await once(child, 'close')) as [number];
	if (code !== 0) throw new Error(`the attack ended with ${code}`);
	return JSON.parse(output) as Record<string, number>;
};

export interface Shot {
	readonly path: string;
	readonly method?: string;
	readonly headers?: OutgoingHttpHeaders;
	/** Whether the browser key is sent. */
	readonly asBrowser?: boolean;
	readonly body?: string;
	/** Whether the last byte of the body is never sent. */
	readonly half?: boolean;
}

const KIB = 1024;
const SIZES = [64 * KIB, 512 * KIB];

const jsonBodies = (bytes: number): readonly string[] => [
	`${'['.repeat(bytes / 2)}${']'.repeat(bytes / 2)}`,
	`{${Array.from({ length: bytes / 12 }, (_, number) => `"k${number}":1`).join(',')}}`,
	...['\\u0041', '@', 'b.'].map(
		(piece) => `{"email":"a@${piece.repeat(bytes / piece.length - 20)}"}`
	)
];

const formShots = (address: string): readonly Shot[] =>
	SIZES.flatMap(pathologicalForms).flatMap(({ type, body }) =>
		['/', '/auth/sign-in?/request', '/docs'].map((path) => {
			const headers = { origin: address, 'content-type': type };
			return { path, method: 'POST', asBrowser: true, headers, body };
		})
	);

const jsonShots = (): readonly Shot[] =>
	SIZES.flatMap(jsonBodies).map((body) => {
		const headers = { 'content-type': 'application/json' };
		return { path: '/api/auth/sign-in/email-otp', method: 'POST', headers, body };
	});

const headerShots: readonly Shot[] = [
	{ path: '/', asBrowser: true, headers: { 'x-wide': 'a=b; '.repeat(2500) } },
	{ path: `/auth/sign-in?${'a&'.repeat(7000)}` },
	{ path: `/docs?${'%41&'.repeat(3500)}`, asBrowser: true },
	{ path: '/', headers: { cookie: 'a=b; '.repeat(2500) } }
];

/** The requests that cost most, each of which gets an answer. */
export const worstShots = (address: string): readonly Shot[] => [
	...formShots(address),
	...jsonShots(),
	...headerShots
];

const shotsOf = (order: Attack): readonly Shot[] => {
	const pages = order.pages.flatMap((path) => [{ path }, { path, method: 'HEAD' }]);
	if (order.with === 'pages') return pages;
	const shots = worstShots(order.address);
	const halves = shots
		.filter(({ body }) => body !== undefined)
		.map((shot) => ({ ...shot, half: true }));
	return [...shots, ...halves, ...pages, ...pages];
};

const agent = new Agent({ keepAlive: true });

/** Its status; 0 for a closed connection, and -1 for a body that is never sent whole. */
export const fire = (address: string, from: string, cookie: string, shot: Shot): Promise<number> =>
	new Promise((resolve) => {
		const { hostname, port } = new URL(address);
		const outgoing = request(
			{
				agent,
				host: hostname === 'localhost' ? '127.0.0.1' : hostname,
				port,
				path: shot.path,
				method: shot.method ?? 'GET',
				headers: {
					'x-forwarded-for': from,
					...(shot.body !== undefined && { 'content-length': Buffer.byteLength(shot.body) }),
					...(shot.asBrowser === true && { cookie }),
					...shot.headers
				}
			},
			(answer) => {
				answer.resume().on('close', () => resolve(answer.statusCode ?? 0));
			}
		);
		outgoing.on('error', () => resolve(0));
		if (shot.half !== true) return void outgoing.end(shot.body);
		// Left open: the client continues with the next one, and this one keeps its place.
		outgoing.write(shot.body?.slice(0, -1));
		resolve(-1);
	});

/** A browser key, as every page sets it. */
export const cookieFrom = async (address: string, from: string): Promise<string> => {
	const page = `${address.replace('localhost', '127.0.0.1')}/auth/sign-in`;
	const answer = await fetch(page, { headers: { 'x-forwarded-for': from } });
	await answer.text();
	return (answer.headers.getSetCookie()[0] ?? '').split(';', 1)[0] ?? '';
};

const carryOut = async (order: Attack): Promise<Record<string, number>> => {
	const counts: Record<string, number> = {};
	const shots = shotsOf(order);
	const until = performance.now() + order.milliseconds;
	await Promise.all(
		Array.from({ length: order.clients }, async (_, client) => {
			const from = `203.0.${client}.${client + 1}`;
			const cookie = await cookieFrom(order.address, from);
			// Each starts at another one and then uses all of them.
			for (let round = client * 37; performance.now() < until; round += 13) {
				const shot = shots[round % shots.length];
				if (shot === undefined) continue;
				const status = await Promise.race([
					fire(order.address, from, cookie, shot),
					pause(2000, -2)
				]);
				counts[status] = (counts[status] ?? 0) + 1;
			}
		})
	);
	return counts;
};

if (process.argv[1] === fileURLToPath(import.meta.url)) {
	const counts = await carryOut(JSON.parse(process.argv[2] ?? '') as Attack);
	process.stdout.write(JSON.stringify(counts), () => process.exit());
}
