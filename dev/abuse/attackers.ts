import { defaultPolicy } from '#lib/domain/policy.ts';
import { times } from '../../tests/support/http/client.ts';
import { addressIn, enterCode, requestCode, type Client, type Response } from './api.ts';
import type { Site } from './site.ts';
import { cheapAnswer, levelOf, offeredPuzzle, type Cores } from './solver.ts';
import type { VirtualTime } from './virtual-time.ts';

/** What an attacker has, and what it achieved. */
export interface Attacker {
	readonly site: Site;
	readonly time: VirtualTime;
	readonly cores: Cores;
	/** Whether the build asks for proofs. */
	readonly provesWork: boolean;
	readonly gains: {
		/** Emails that it caused. */
		emails: number;
		/** Wrong codes that the server compared. */
		guesses: number;
		/** When the last of them was compared, in seconds. */
		lastGuess: number;
	};
}

/** The networks of attackers begin with this number. */
export const FIRST = 11;

/** A challenge that would be solved later than this has expired, in seconds. */
const LATEST = 290;

type Call = (client: Client) => Promise<Response>;

/**
 * Repeats a call from one network until the server accepts it or no longer helps. The attacker solves
 * each challenge and comes back exactly when the server says so.
 */
const insist = (
	{ time, cores }: Attacker,
	network: number,
	call: Call,
	done: (answer: Response) => void,
	/** The answer to have ready when a send becomes free. */
	prepare?: (freeAt: number) => Promise<string | undefined>
): void => {
	let host = 0;
	const attempt = async (proof?: string): Promise<void> => {
		// Each attempt uses another client, so that only the limits of the network count.
		const address = addressIn(FIRST, network, (host += 1));
		const answer = await call({ address, ...(proof !== undefined && { proof }) });
		const { status, challenge, retryAfter } = answer;
		if (status === 403 && challenge !== null) {
			const solved = cores.solve(levelOf(challenge), time.now());
			const inTime = solved - time.now() < LATEST;
			const answerText = inTime ? await cheapAnswer(challenge) : undefined;
			time.at(solved, () => attempt(answerText));
		} else if (status === 429 || status === 503) {
			const again = time.now() + Math.max(1, retryAfter);
			const ready = status === 429 ? await prepare?.(again) : undefined;
			time.at(again, () => attempt(ready));
		} else done(answer);
	};
	time.at(time.now(), () => attempt());
};

/** The page offers the puzzle for the next free send this long before, in seconds. */
const OFFERED = 280;

const { sends: SENDS, networkFree } = defaultPolicy.throttle;
/** What the last free send of a mailbox needs from a network that took the others. */
const LAST_LEVEL = SENDS - 1 - networkFree;

/** Each network takes each send that becomes free, for as long as the attack runs. */
export const takeSends = (
	attacker: Attacker,
	networks: number,
	target: (send: number) => string
): void => {
	const { site, gains, time, cores, provesWork } = attacker;
	let sends = 0;
	const taken = times(networks, () => 0);
	const prepare = async (
		email: string,
		network: number,
		freeAt: number
	): Promise<string | undefined> => {
		const needsWork = provesWork && (taken[network] ?? 0) >= networkFree;
		// The page offers no puzzle that would expire before the send is free.
		if (!needsWork || freeAt - time.now() > OFFERED) return undefined;
		cores.solve(LAST_LEVEL, time.now());
		return cheapAnswer(await offeredPuzzle(email, LAST_LEVEL, time.serverTime()));
	};
	const next = (network: number): void => {
		const email = target((sends += 1));
		insist(
			attacker,
			network,
			(client) => requestCode(site.server, email, client),
			({ status }) => {
				if (status === 200) {
					gains.emails += 1;
					taken[network] = (taken[network] ?? 0) + 1;
				}
				next(network);
			},
			(freeAt) => prepare(email, network, freeAt)
		);
	};
	for (let network = 0; network < networks; network += 1) next(network);
};

/** One send to each address, from the networks in turn, at a steady rate. */
export const sendToMany = (
	attacker: Attacker,
	{ addresses, networks, seconds }: Readonly<Record<'addresses' | 'networks' | 'seconds', number>>
): void => {
	const { site, time, gains } = attacker;
	for (let index = 0; index < addresses; index += 1) {
		time.at((index * seconds) / addresses, async () => {
			const email = `someone-${index}@example.com`;
			insist(
				attacker,
				index % networks,
				(client) => requestCode(site.server, email, client),
				({ status }) => void (gains.emails += status === 200 ? 1 : 0)
			);
		});
	}
};

/** Wrong guesses at each code, one after the other. */
export const GUESSES = 5;

export type Guessing = Readonly<Record<'networks' | 'perSecond' | 'seconds', number>>;

/** Requests a code for one address after the other, and guesses at each. */
export const guessMany = (attacker: Attacker, { networks, perSecond, seconds }: Guessing): void => {
	const { site, time, gains } = attacker;
	const guess = (email: string, network: number, left: number): void =>
		insist(
			attacker,
			network,
			(client) => enterCode(site.server, email, String(100_000 + left), client),
			({ status }) => {
				// Anything but a wrong code ends this one.
				if (status !== 400) return;
				gains.guesses += 1;
				gains.lastGuess = time.now();
				if (left > 1) guess(email, network, left - 1);
			}
		);
	for (let index = 0; index < perSecond * seconds; index += 1) {
		time.at(index / perSecond, async () => {
			const email = `guessed-${index}@example.com`;
			const network = index % networks;
			insist(
				attacker,
				network,
				(client) => requestCode(site.server, email, client),
				({ status }) => {
					if (status !== 200) return;
					gains.emails += 1;
					guess(email, network, GUESSES);
				}
			);
		});
	}
};
