import { randomBytes } from 'node:crypto';
import {
	call,
	freshCode,
	inBatches,
	newAddress,
	SEND,
	tally,
	times,
	verifyCode,
	type Answer
} from '../../tests/support/http/client.ts';
import { startBuiltServer, type BuiltServer } from '../../tests/support/process/built-server.ts';

type Headers = Readonly<Record<string, string>>;

/** A client, and the email address for which it requests codes. */
export interface Caller {
	readonly email: string;
	readonly headers: Headers;
}

/** The client with this number. */
export type ClientOf = (number: number) => Headers;

/** Clients in so many networks, each next one in another network. */
export const networks =
	(count: number, first = 0): ClientOf =>
	(number) => {
		const network = first + (number % count);
		const host = 1 + Math.floor(number / count);
		return { 'x-forwarded-for': `11.${network >> 8}.${network & 255}.${host}` };
	};

let others = 0;
/** Each client has a network of its own. */
export const elsewhere: ClientOf = () => {
	others += 1;
	return { 'x-forwarded-for': `12.${others >> 8}.${others & 255}.1` };
};

export const unknown = (count: number, clientOf: ClientOf, emailOf = newAddress): Caller[] =>
	times(count, (number) => ({ email: emailOf(), headers: clientOf(number) }));

/** The known devices of accounts, used in other networks. */
export const moved = (devices: readonly Caller[], clientOf: ClientOf): Caller[] =>
	devices.map(({ email, headers }, at) => ({ email, headers: { ...headers, ...clientOf(at) } }));

export const send = (server: BuiltServer, { email, headers }: Caller): Promise<Answer> =>
	call(server, SEND, { json: { email, type: 'sign-in' }, headers });

export const sends = (server: BuiltServer, callers: readonly Caller[]): Promise<Answer[]> =>
	inBatches(callers, 20, (caller) => send(server, caller));

/** Each caller requests a code and enters it. */
export const signIns = (server: BuiltServer, callers: readonly Caller[]): Promise<Answer[]> =>
	inBatches(callers, 10, async ({ email, headers }) =>
		verifyCode(server, email, await freshCode(server, email, headers), headers)
	);

/** Prints what callers tried and got. */
export const row = (
	who: string,
	answers: readonly Answer[],
	gotThrough = (status: number): boolean => status === 200
): void => {
	const refused = answers.filter(({ status }) => !gotThrough(status));
	const wait = Math.max(0, ...refused.map(({ headers }) => Number(headers['retry-after'] ?? 0)));
	const reasons = Object.entries(tally(refused.map(({ status }) => status)))
		.map(([status, count]) => `${count} × ${status}`)
		.concat(wait === 0 ? [] : `for at most ${Math.ceil(wait / 60)} min`);
	const through = answers.length - refused.length;
	console.log(`| ${who} | ${answers.length} | ${through} | ${reasons.join(', ')} |`);
};

/** What is measured on a server of its own. */
export interface Rule {
	readonly title: string;
	readonly env: Headers;
	/** Accounts that exist before. */
	readonly accounts: number;
	readonly run: (site: Site) => Promise<void>;
}

export interface Site {
	readonly server: BuiltServer;
	/** A known device of each account. */
	readonly devices: readonly Caller[];
	/** Moves the clock to the start of an hour in which nothing has happened. */
	nextHour(): Promise<void>;
}

const HOUR = 3600;

/** Prints the table of a rule. */
export const measure = async (
	{ title, env, accounts, run }: Rule,
	databaseUrl: string | undefined
): Promise<void> => {
	const server = await startBuiltServer({ env, ...(databaseUrl !== undefined && { databaseUrl }) });
	// The sign-ins of the devices were in the first hour or the second.
	let hours = 1;
	const nextHour = (): Promise<void> => {
		hours += 1;
		return server.shiftClock(hours * HOUR - ((Date.now() / 1000) % HOUR));
	};
	try {
		const devices = unknown(accounts, () => ({
			...elsewhere(0),
			'x-postern-client': randomBytes(32).toString('base64url')
		}));
		const refused = (await signIns(server, devices)).find(({ status }) => status !== 200);
		if (refused !== undefined) throw new Error(`no account: ${refused.status} ${refused.text}`);
		await nextHour();
		console.log(`\n${title}:\n\n| Who | Tried | Got through | Refused |\n|---|---|---|---|`);
		await run({ server, devices, nextHour });
	} finally {
		await server.stop();
	}
};
