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
import { withServer, type Measure } from './kit.ts';

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
/** Each client has a network of its own. */
const elsewhere: ClientOf = () => {
	others += 1;
	return { 'x-forwarded-for': `12.${others >> 8}.${others & 255}.1` };
};

const unknown = (count: number, clientOf: ClientOf, emailOf = newAddress): Caller[] =>
	times(count, (number) => ({ email: emailOf(), headers: clientOf(number) }));

/** The known devices of accounts, used in other networks. */
const moved = (devices: readonly Caller[], clientOf: ClientOf): Caller[] =>
	devices.map(({ email, headers }, at) => ({ email, headers: { ...headers, ...clientOf(at) } }));

const send = (server: BuiltServer, { email, headers }: Caller): Promise<Answer> =>
	call(server, SEND, { json: { email, type: 'sign-in' }, headers });

const sends = (server: BuiltServer, callers: readonly Caller[]): Promise<Answer[]> =>
	inBatches(callers, 20, (caller) => send(server, caller));

/** Sends with a proof of work where the server asks for one. */
const prove = async (server: BuiltServer, { email, headers }: Caller): Promise<Answer> => {
	const answer = await send(server, { email, headers });
	const puzzle = puzzleOf(answer);
	if (puzzle === null) return answer;
	return send(server, { email, headers: { ...headers, 'x-postern-proof': await solve(puzzle) } });
};

/** Each caller requests a code and enters it. */
const signIns = (server: BuiltServer, callers: readonly Caller[]): Promise<Answer[]> =>
	inBatches(callers, 10, async ({ email, headers }) => {
		const before = server.codesSentTo(email);
		const { status, text } = await prove(server, { email, headers });
		if (status !== 200) throw new Error(`no code for ${email}: ${status} ${text}`);
		return verifyCode(server, email, await server.codeFor(email, before + 1), headers);
	});

interface Site {
	readonly server: BuiltServer;
	/** A known device of each account. */
	readonly devices: readonly Caller[];
	/** Moves the clock to the start of an hour in which nothing has happened. */
	nextHour(): Promise<void>;
	/** Reports what callers tried and got. */
	row(who: string, answers: readonly Answer[], gotThrough?: (status: number) => boolean): void;
	note(what: string, measured: string): void;
}

const HOUR = 3600;

const attackOn =
	(env: Headers, accounts: number, run: (site: Site) => Promise<void>): Measure =>
	(report) =>
		withServer('SQLite', env, async (server) => {
			// The sign-ins of the devices were in the first hour or the second.
			let hours = 1;
			const nextHour = (): Promise<void> => {
				hours += 1;
				return server.shiftClock(hours * HOUR - ((Date.now() / 1000) % HOUR));
			};
			const note: Site['note'] = (what, measured) => report({ what, measured });
			const row: Site['row'] = (who, answers, gotThrough = (status) => status === 200) => {
				const refused = answers.filter(({ status }) => !gotThrough(status));
				const reasons = Object.entries(tally(refused.map(({ status }) => status)));
				const counts = reasons.map(([status, count]) => `, ${count} × ${status}`).join('');
				note(who, `${answers.length - refused.length} of ${answers.length}${counts}`);
			};
			const devices = unknown(accounts, () => ({
				...elsewhere(0),
				'x-postern-client': randomBytes(32).toString('base64url')
			}));
			const failed = (await signIns(server, devices)).find(({ status }) => status !== 200);
			if (failed !== undefined) throw new Error(`no account: ${failed.status} ${failed.text}`);
			await nextHour();
			await run({ server, devices, nextHour, row, note });
		});

const MANY = 200;
/** Who attacks, from where, and how often it sends to one email address. */
const ATTACKERS = [
	['attacker in 1 network', networks(1), 50],
	[`attacker in ${MANY} networks`, networks(MANY), MANY]
] as const;

/** Sends to one email address, in 15 minutes. */
export const oneAddress = attackOn({}, 1, async ({ server, devices, nextHour, row }) => {
	const [{ email } = { email: '' }] = devices;
	const toOwner = (count: number, clientOf: ClientOf): Promise<Answer[]> =>
		sends(
			server,
			unknown(count, clientOf, () => email)
		);
	for (const [who, clientOf, tries] of ATTACKERS) {
		await nextHour();
		row(`sends to one address: ${who}`, await toOwner(tries, clientOf));
		row('its owner, new device', await toOwner(1, elsewhere));
		row('its owner, known device', await sends(server, times(6, () => devices).flat()));
	}
});

const EMAIL_BUDGET = '1000';

/** A flood of sends with `EMAIL_BUDGET`, in an hour. */
export const budget = attackOn({ EMAIL_BUDGET }, 110, async (site) => {
	const { server, devices, nextHour, row } = site;
	const honest = async (): Promise<void> => {
		row('new devices elsewhere', await sends(server, unknown(10, elsewhere)));
		row('known devices elsewhere', await sends(server, devices.slice(0, 10)));
	};
	const [[one, ofOne], [many, ofMany]] = ATTACKERS;
	row(`EMAIL_BUDGET=${EMAIL_BUDGET}: ${one}`, await sends(server, unknown(60, ofOne)));
	row('new devices in that network', await sends(server, unknown(5, ofOne)));
	row('known devices in it', await sends(server, moved(devices.slice(0, 5), ofOne)));
	await honest();
	await nextHour();
	row(many, await sends(server, unknown(10 * MANY, ofMany)));
	await honest();
	const own = moved(devices.slice(10), networks(2, MANY));
	row("the attacker's 100 known devices, in 2 networks", await sends(server, own));
	row('known devices elsewhere', await sends(server, devices.slice(0, 10)));
});

/** Proofs that the attacker solves. */
const PROOFS = 40;

/** The same with `PROOF_OF_WORK`. */
export const proofs = attackOn(
	{ EMAIL_BUDGET, PROOF_OF_WORK: 'on' },
	10,
	async ({ server, devices, row, note }) => {
		const withProof = (caller: Caller): Promise<Answer> => prove(server, caller);
		const [, [many, ofMany]] = ATTACKERS;
		row(`PROOF_OF_WORK: ${many}, no proofs`, await sends(server, unknown(10 * MANY, ofMany)));
		const before = process.cpuUsage();
		const solved = await inBatches(unknown(PROOFS, ofMany), 2, withProof);
		const { user, system } = process.cpuUsage(before);
		row(`attacker in ${PROOFS} of them, a proof each`, solved);
		row('programs elsewhere, a proof each', await inBatches(unknown(10, elsewhere), 2, withProof));
		row('known devices, no proofs', await sends(server, devices));
		const cost = (user + system) / 1e6 / PROOFS;
		const all = defaultPolicy.budget.unknownShare * Number(EMAIL_BUDGET);
		note('processor time of the attacker for a proof', `${cost.toFixed(2)} s`);
		note(`for the ${all} emails of unknown clients in an hour`, `${(all * cost).toFixed(0)} s`);
	}
);

const { code, wrongCodes } = defaultPolicy;
/** Codes at which each network guesses: those of all guesses that are compared, and one more. */
const CODES = wrongCodes.networkLimit / code.attempts + 1;

/** A17: guesses at codes of many email addresses, in ten minutes. */
export const guesses = attackOn({}, 10, async ({ server, devices, row, note }) => {
	const [, [many, ofMany]] = ATTACKERS;
	const guess = async (caller: Caller): Promise<Answer[]> => {
		const { status } = await send(server, caller);
		if (status !== 200) throw new Error(`no code: ${status}`);
		const wrong = times(code.attempts, (at) => String(100_000 + at));
		return inBatches(wrong, 1, (otp) => verifyCode(server, caller.email, otp, caller.headers));
	};
	const answers = (await inBatches(unknown(CODES * MANY, ofMany), 20, guess)).flat();
	row(`guesses: ${many}`, answers, (status) => status !== 429);
	row('right codes, new devices elsewhere', await signIns(server, unknown(10, elsewhere)));
	const inThem = networks(MANY);
	row('right codes, new devices in these networks', await signIns(server, unknown(10, inThem)));
	row('right codes, known devices in them', await signIns(server, moved(devices, inThem)));

	const compared = answers.filter(({ status }) => status !== 429).length;
	const aDay = (compared * 24 * 3600) / wrongCodes.networkWindow;
	note('guesses, codes and accounts in a day', `${aDay}, ${aDay / code.attempts}, ${aDay / 1e6}`);
});
