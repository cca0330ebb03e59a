import { randomBytes } from 'node:crypto';
import { parseArgs } from 'node:util';
import { auc, median } from '../tests/support/time/auc.ts';
import { startBuiltServer } from '../tests/support/process/built-server.ts';
import {
	EMAIL_ROWS,
	startSlowMail,
	timeOwnSend
} from '../tests/support/mail/conditional-emails.ts';
import {
	call,
	freshCode,
	inBatches,
	pairOf,
	sendCode,
	signIn,
	times,
	verifyCode,
	type Answer
} from '../tests/support/http/client.ts';
import { openDatabase } from '../tests/support/http/database.ts';

// Measures whether response times reveal if an address has an account. It runs the build on a
// database of its own. It sends requests for addresses with and without an account in random
// order, over loopback and one connection. No attacker can measure time more precisely.

const { values } = parseArgs({
	options: {
		count: { type: 'string', default: '2000' },
		/** A database whose content can be lost. SQLite by default. */
		postgres: { type: 'string' },
		/** Seconds after which a part ends, with the responses it has so far. */
		patience: { type: 'string', default: '90' },
		/** How long the slow mail server takes for an email, in milliseconds. */
		delay: { type: 'string', default: '100' }
	}
});
const count = Number(values.count);
const patience = Number(values.patience) * 1000;

/** Above these limits, an attacker with enough requests can distinguish the two groups. */
const LIMITS = { auc: 0.55, gap: 2 };

const DEVICE = 'postern_device';

/** How many sends one session of the attacker makes. They take a minute or two. */
const SENDS_PER_SESSION = 200;

interface Part {
	readonly name: string;
	readonly known: readonly number[];
	readonly unknown: readonly number[];
}

const shuffled = <T>(items: readonly T[]): T[] =>
	items
		.map((item) => [randomBytes(6).readUIntBE(0, 6), item] as const)
		.sort(([one], [other]) => one - other)
		.map(([, item]) => item);

const server = await startBuiltServer(
	values.postgres === undefined ? {} : { databaseUrl: values.postgres }
);
// Sends go to a second process that counts the emails of the site, as by default. The first one
// counts nothing, so that thousands of wrong codes need no proof.
const counting = await startBuiltServer({
	databaseUrl: server.databaseUrl,
	env: { EMAIL_BUDGET: '1000000' }
});
const database = openDatabase(server.databaseUrl);
try {
	// All addresses have the same length and form, so that only the account differs.
	const addresses = times(2 * count, () => `${randomBytes(8).toString('hex')}@example.com`);
	const known = addresses.slice(0, count);
	const all = shuffled(addresses);
	const isKnown = new Set(known);
	const forget = async (): Promise<void> => {
		for (const table of ['auth_throttle', 'verification']) {
			await database.rows(`delete from ${table}`);
		}
	};

	/** Signs in as a page of the site does, and returns the key of that browser. */
	const ownDeviceKey = async (): Promise<string> => {
		const page = { origin: server.address, 'sec-fetch-site': 'same-origin' };
		const { answer } = await signIn(server, undefined, page);
		const [, key] = answer.setCookies.map(pairOf).find(([name]) => name === DEVICE) ?? [];
		if (key === undefined) throw new Error('no device cookie');
		return key;
	};

	/** Times each address in random order until the time limit. */
	const sample = async (name: string, time: (email: string) => Promise<number>): Promise<Part> => {
		const part = { name, known: [] as number[], unknown: [] as number[] };
		const end = performance.now() + patience;
		for (const email of all) {
			if (performance.now() > end) break;
			part[isKnown.has(email) ? 'known' : 'unknown'].push(await time(email));
		}
		return part;
	};
	const measure = async (
		name: string,
		request: (email: string) => Promise<Answer>,
		expected: number
	): Promise<Part> => {
		const bodies = new Set<string>();
		const part = await sample(name, async (email) => {
			const began = performance.now();
			const { status, text } = await request(email);
			const took = performance.now() - began;
			if (status !== expected) throw new Error(`${name}: ${status} ${text}`);
			bodies.add(text);
			return took;
		});
		if (bodies.size !== 1) throw new Error(`${name}: the answers differ: ${[...bodies].join(' ')}`);
		return part;
	};

	console.log(`making ${count} accounts`);
	await inBatches(known, 8, async (email) => {
		const { status, text } = await verifyCode(server, email, await freshCode(server, email));
		if (status !== 200) throw new Error(`no account: ${status} ${text}`);
	});
	await forget();
	for (let warmUp = 0; warmUp < 200; warmUp += 1) {
		for (const one of [server, counting]) await call(one, '/api/auth/ok');
	}

	const send = await measure('requesting a code', (email) => sendCode(counting, email), 200);
	// In one of hundreds of runs, a guess is right. The run then ends with a message.
	const wrong = (email: string): Promise<Answer> => verifyCode(server, email, '000000');
	const live = await measure('a wrong code, while one is pending', wrong, 400);
	await forget();
	const none = await measure('a wrong code, without a requested one', wrong, 400);

	await forget();

	const withDevice: Part[] = [];
	for (const [whose, key] of [
		["the attacker's own", await ownDeviceKey()],
		['an unknown', randomBytes(32).toString('base64url')]
	] as const) {
		const headers = { cookie: `${DEVICE}=${key}` };
		const request = (email: string): Promise<Answer> => sendCode(counting, email, headers);
		withDevice.push(await measure(`requesting a code, with ${whose} device cookie`, request, 200));
		await forget();
	}

	const slow = await startSlowMail(server.databaseUrl, Number(values.delay));
	let attacker = await signIn(server);
	let sends = 0;
	const besides: Part[] = [];
	try {
		for (const { name, request } of EMAIL_ROWS) {
			const time = async (email: string): Promise<number> => {
				sends += 1;
				// An email change without a code needs a session younger than 15 minutes.
				if (sends % SENDS_PER_SESSION === 0) attacker = await signIn(server);
				return timeOwnSend(slow, () => request(slow.server, attacker, email));
			};
			besides.push(await sample(name, time));
			await forget();
		}
	} finally {
		await slow.stop();
	}

	console.log('| Request | Responses | Median known | Median unknown | Gap | AUC |');
	console.log('| --- | --- | --- | --- | --- | --- |');
	for (const part of [send, live, none, ...withDevice, ...besides]) {
		const medians = [median(part.known), median(part.unknown)] as const;
		const gap = Math.abs(medians[0] - medians[1]);
		const area = auc(part.known, part.unknown);
		const cells = [
			part.name,
			`${part.known.length} + ${part.unknown.length}`,
			...[...medians, gap].map((time) => `${time.toFixed(3)} ms`),
			area.toFixed(3)
		];
		console.log(`| ${cells.join(' | ')} |`);
		if (area > LIMITS.auc || gap > LIMITS.gap) process.exitCode = 1;
	}
} finally {
	await database.close();
	await Promise.all([counting.stop(), server.stop()]);
}
process.exit();
