import { randomBytes } from 'node:crypto';
import { defaultPolicy } from '#lib/domain/policy.ts';
import {
	call,
	inBatches,
	newAddress,
	SEND,
	tally,
	times,
	verifyCode,
	type Answer
} from '../../tests/support/http/client.ts';
import type { BuiltServer } from '../../tests/support/process/built-server.ts';
import { puzzleOf, solve } from '../../tests/support/web/solve.ts';
import { withServer, type Measure, type Report } from './kit.ts';

// Attackers with simulated client addresses. For each limit: what was tried, what got through, and what
// honest callers got. Nothing here has a bound: the tests check the limits.

type Headers = Readonly<Record<string, string>>;

/** A client, and the email address for which it requests codes. */
interface Caller {
	readonly email: string;
	readonly headers: Headers;
}

/** The client with this number. */
type ClientOf = (number: number) => Headers;

/** Clients in so many networks, each next one in another network. */
const networks =
	(count: number, first = 0): ClientOf =>
	(number) => {
		const network = first + (number % count);
		const host = 1 + Math.floor(number / count);
		return { 'x-forwarded-for': `11.${network >> 8}.${network & 255}.${host}` };
	};

let others = 0;
/** Each client has a network of its own, which no attacker uses. */
const elsewhere: ClientOf = () => networks(1, 2 ** 15 + (others += 1))(0);

const MANY = 200;
const ofOne = networks(1);
const ofMany = networks(MANY);
const ONE_NETWORK = 'attacker in 1 network';
const MANY_NETWORKS = `attacker in ${MANY} networks`;

const unknown = (count: number, clientOf: ClientOf, email?: string): Caller[] =>
	times(count, (number) => ({ email: email ?? newAddress(), headers: clientOf(number) }));

/** The known devices of accounts, used in other networks. */
const moved = (devices: readonly Caller[], clientOf: ClientOf): Caller[] =>
	devices.map(({ email, headers }, at) => ({ email, headers: { ...headers, ...clientOf(at) } }));

const send = (server: BuiltServer, { email, headers }: Caller): Promise<Answer> =>
	call(server, SEND, { json: { email, type: 'sign-in' }, headers });

/** Sends with a proof of work where the server asks for one. */
const prove = async (server: BuiltServer, caller: Caller): Promise<Answer> => {
	const answer = await send(server, caller);
	const puzzle = puzzleOf(answer);
	if (puzzle === null) return answer;
	const proof = { 'x-postern-proof': await solve(puzzle) };
	return send(server, { ...caller, headers: { ...caller.headers, ...proof } });
};

/** Requests a code and enters it. */
const signIn = async (server: BuiltServer, caller: Caller): Promise<Answer> => {
	const { email, headers } = caller;
	const before = server.codesSentTo(email);
	const { status, text } = await prove(server, caller);
	if (status !== 200) throw new Error(`no code for ${email}: ${status} ${text}`);
	return verifyCode(server, email, await server.codeFor(email, before + 1), headers);
};

const openSite = async (server: BuiltServer, accounts: number, report: Report) => {
	const note = (what: string, measured: string): void => report({ what, measured });
	/** Reports what callers get, so many of them at a time. */
	const row = async (who: string, callers: readonly Caller[], work = send, width = 20) => {
		const answers = await inBatches(callers, width, (caller) => work(server, caller));
		const { 200: allowed = 0, ...refused } = tally(answers.map(({ status }) => status));
		const reasons = Object.entries(refused).map(([status, count]) => `, ${count} × ${status}`);
		note(who, `${allowed} of ${answers.length}${reasons.join('')}`);
	};
	// The sign-ins of the devices were in the first hour or the second.
	let hours = 1;
	/** Moves the clock to the start of an hour in which nothing has happened. */
	const nextHour = (): Promise<void> => {
		hours += 1;
		return server.shiftClock(hours * 3600 - ((Date.now() / 1000) % 3600));
	};
	/** A known device of each account. */
	const devices = unknown(accounts, () => ({
		...elsewhere(0),
		'x-postern-client': randomBytes(32).toString('base64url')
	}));
	await row('accounts', devices, signIn, 10);
	await nextHour();
	return { server, devices, nextHour, row, note };
};

type Site = Awaited<ReturnType<typeof openSite>>;

const attackOn =
	(env: Headers, accounts: number, run: (site: Site) => Promise<void>): Measure =>
	(report) =>
		withServer('SQLite', env, async (server) => run(await openSite(server, accounts, report)));

/** Sends to one email address, in 15 minutes. */
export const oneAddress = attackOn({}, 1, async ({ devices, nextHour, row }) => {
	for (const [who, clientOf, tries] of [
		[ONE_NETWORK, ofOne, 50],
		[MANY_NETWORKS, ofMany, MANY]
	] as const) {
		await nextHour();
		await row(`sends to one address: ${who}`, unknown(tries, clientOf, devices[0]?.email));
		await row('its owner, new device', unknown(1, elsewhere, devices[0]?.email));
		await row('its owner, known device', times(6, () => devices).flat());
	}
});

const EMAIL_BUDGET = '1000';

/** A flood of sends with `EMAIL_BUDGET`, in an hour. */
export const budget = attackOn({ EMAIL_BUDGET }, 110, async ({ devices, nextHour, row }) => {
	const honest = devices.slice(0, 10);
	await row(`EMAIL_BUDGET=${EMAIL_BUDGET}: ${ONE_NETWORK}`, unknown(60, ofOne));
	await row('new devices in that network', unknown(5, ofOne));
	await row('known devices in it', moved(devices.slice(0, 5), ofOne));
	await row('new devices elsewhere', unknown(10, elsewhere));
	await row('known devices elsewhere', honest);
	await nextHour();
	await row(MANY_NETWORKS, unknown(10 * MANY, ofMany));
	await row('new devices elsewhere', unknown(10, elsewhere));
	await row('known devices elsewhere', honest);
	const own = moved(devices.slice(10), networks(2, MANY));
	await row("the attacker's 100 known devices, in 2 networks", own);
	await row('known devices elsewhere', honest);
});

/** Proofs that the attacker solves. */
const PROOFS = 40;
const PROVING = { EMAIL_BUDGET, PROOF_OF_WORK: 'on' };

/** The same with `PROOF_OF_WORK`. */
export const proofs = attackOn(PROVING, 10, async ({ devices, row, note }) => {
	await row(`PROOF_OF_WORK: ${MANY_NETWORKS}, no proofs`, unknown(10 * MANY, ofMany));
	const before = process.cpuUsage();
	await row(`attacker in ${PROOFS} of them, a proof each`, unknown(PROOFS, ofMany), prove, 2);
	const { user, system } = process.cpuUsage(before);
	await row('programs elsewhere, a proof each', unknown(10, elsewhere), prove, 2);
	await row('known devices, no proofs', devices);
	const cost = (user + system) / 1e6 / PROOFS;
	const all = defaultPolicy.budget.unknownShare * Number(EMAIL_BUDGET);
	note('processor time of the attacker for a proof', `${cost.toFixed(2)} s`);
	note(`for the ${all} emails of unknown clients in an hour`, `${(all * cost).toFixed(0)} s`);
});

const { code, wrongCodes } = defaultPolicy;
/** Codes at which each network guesses: those of all guesses that are compared, and one more. */
const CODES = wrongCodes.networkLimit / code.attempts + 1;

/** A17: guesses at codes of many email addresses, in ten minutes. */
export const guesses = attackOn({}, 10, async ({ server, devices, row, note }) => {
	const guess = async (caller: Caller): Promise<Answer[]> => {
		const { status } = await send(server, caller);
		if (status !== 200) throw new Error(`no code: ${status}`);
		const wrong = times(code.attempts, (at) => String(100_000 + at));
		return inBatches(wrong, 1, (otp) => verifyCode(server, caller.email, otp, caller.headers));
	};
	const answers = (await inBatches(unknown(CODES * MANY, ofMany), 20, guess)).flat();
	const compared = answers.filter(({ status }) => status !== 429).length;
	note(`guesses: ${MANY_NETWORKS}`, `${compared} of ${answers.length}`);
	await row('right codes, new devices elsewhere', unknown(10, elsewhere), signIn);
	await row('right codes, new devices in these networks', unknown(10, ofMany), signIn);
	await row('right codes, known devices in them', moved(devices, ofMany), signIn);
	const aDay = (compared * 24 * 3600) / wrongCodes.networkWindow;
	note('guesses, codes and accounts in a day', `${aDay}, ${aDay / code.attempts}, ${aDay / 1e6}`);
});
