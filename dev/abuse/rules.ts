import { defaultPolicy } from '#lib/domain/policy.ts';
import { openBrowser } from '../../tests/support/http/browser.ts';
import {
	call,
	inBatches,
	SEND,
	times,
	verifyCode,
	type Answer
} from '../../tests/support/http/client.ts';
import { challengeOf, solve } from '../../tests/support/proof/solve.ts';
import {
	elsewhere,
	moved,
	networks,
	row,
	send,
	sends,
	signIns,
	unknown,
	type Caller,
	type ClientOf,
	type Rule,
	type Site
} from './site.ts';

const MANY = 200;
/** Who attacks, from where, and how often it sends to one email address. */
const ATTACKERS = [
	['attacker in 1 network', networks(1), 50],
	[`attacker in ${MANY} networks`, networks(MANY), MANY]
] as const;

export const oneAddress: Rule = {
	title: 'Sends to one email address, in 15 minutes',
	env: {},
	accounts: 1,
	run: async ({ server, devices, nextHour }) => {
		const [{ email } = { email: '' }] = devices;
		const toOwner = (count: number, clientOf: ClientOf): Promise<Answer[]> =>
			sends(
				server,
				unknown(count, clientOf, () => email)
			);
		for (const [who, clientOf, tries] of ATTACKERS) {
			await nextHour();
			row(who, await toOwner(tries, clientOf));
			row('owner, new device', await toOwner(1, elsewhere));
			row('owner, known device', await sends(server, times(6, () => devices).flat()));
		}
	}
};

const EMAIL_BUDGET = '1000';

const honest = async ({ server, devices }: Site): Promise<void> => {
	row('new devices elsewhere', await sends(server, unknown(10, elsewhere)));
	row('known devices elsewhere', await sends(server, devices.slice(0, 10)));
};

export const flood: Rule = {
	title: `A flood of sends with EMAIL_BUDGET=${EMAIL_BUDGET}, in an hour`,
	env: { EMAIL_BUDGET },
	accounts: 110,
	run: async (site) => {
		const { server, devices, nextHour } = site;
		const [[one, ofOne], [many, ofMany]] = ATTACKERS;
		row(one, await sends(server, unknown(60, ofOne)));
		row('new devices in that network', await sends(server, unknown(5, ofOne)));
		row('known devices in it', await sends(server, moved(devices.slice(0, 5), ofOne)));
		await honest(site);
		await nextHour();
		row(many, await sends(server, unknown(10 * MANY, ofMany)));
		await honest(site);
		const own = moved(devices.slice(10), networks(2, MANY));
		row("the attacker's 100 known devices, in 2 networks", await sends(server, own));
		row('known devices elsewhere', await sends(server, devices.slice(0, 10)));
	}
};

/** Proofs that the attacker solves. */
const PROOFS = 40;

export const floodWithProofs: Rule = {
	title: 'The same with PROOF_OF_WORK=on',
	env: { EMAIL_BUDGET, PROOF_OF_WORK: 'on' },
	accounts: 10,
	run: async ({ server, devices }) => {
		const prove = async ({ email, headers }: Caller): Promise<Answer> => {
			const json = { email };
			const challenge = challengeOf(await call(server, SEND, { json, headers }));
			const proof = challenge && { 'x-postern-proof': await solve(challenge) };
			return call(server, SEND, { json, headers: { ...headers, ...proof } });
		};
		const [, [many, ofMany]] = ATTACKERS;
		row(`${many}, no proofs`, await sends(server, unknown(10 * MANY, ofMany)));
		const before = process.cpuUsage();
		row(
			`attacker in ${PROOFS} of them, a proof each`,
			await inBatches(unknown(PROOFS, ofMany), 2, prove)
		);
		const { user, system } = process.cpuUsage(before);
		row('programs elsewhere, a proof each', await inBatches(unknown(10, elsewhere), 2, prove));
		const pages = await inBatches(unknown(10, elsewhere), 10, async ({ email }) => {
			const browser = openBrowser(server);
			return browser.submit(await browser.open('/auth/sign-in'), 'request', { email });
		});
		row('pages without JavaScript, new devices', pages);
		row('known devices, no proofs', await sends(server, devices));
		const cost = (user + system) / 1e6 / PROOFS;
		const all = defaultPolicy.budget.unknownShare * Number(EMAIL_BUDGET);
		console.log(`\nProcessor time of the attacker: ${cost.toFixed(2)} s for a proof,`);
		console.log(
			`${(all * cost).toFixed(0)} s for the ${all} emails of unknown clients in an hour.`
		);
	}
};

const { code, guessing } = defaultPolicy;
/** Codes at which each network guesses: those of all guesses that are compared, and one more. */
const CODES = guessing.networkWrong / code.attempts + 1;

export const guesses: Rule = {
	title: 'Guesses at codes of many email addresses, in ten minutes',
	env: {},
	accounts: 10,
	run: async ({ server, devices }) => {
		const [, [many, ofMany]] = ATTACKERS;
		const guess = async (caller: Caller): Promise<Answer[]> => {
			const { status } = await send(server, caller);
			if (status !== 200) throw new Error(`no code: ${status}`);
			const wrong = times(code.attempts, (at) => String(100_000 + at));
			return inBatches(wrong, 1, (otp) => verifyCode(server, caller.email, otp, caller.headers));
		};
		const answers = (await inBatches(unknown(CODES * MANY, ofMany), 20, guess)).flat();
		row(many, answers, (status) => status !== 429);
		row('right codes, new devices elsewhere', await signIns(server, unknown(10, elsewhere)));
		const inThem = networks(MANY);
		row('right codes, new devices in these networks', await signIns(server, unknown(10, inThem)));
		row('right codes, known devices in them', await signIns(server, moved(devices, inThem)));

		const compared = answers.filter(({ status }) => status !== 429).length;
		const aDay = (compared * 24 * 3600) / guessing.networkWindow;
		const isLogged = server.lines.some((line) => line.includes('many_wrong_codes'));
		console.log(
			`\nIn a day: ${aDay} guesses at ${aDay / code.attempts} codes, ${aDay / 1e6} accounts.`
		);
		console.log(`The log ${isLogged ? 'has' : 'lacks'} the line many_wrong_codes.`);
	}
};
