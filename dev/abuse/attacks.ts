import { inBatches, times } from '../../tests/support/http/client.ts';
import { guessMany, sendToMany, takeSends, type Attacker } from './attackers.ts';
import {
	emptyOutcome,
	makeOwner,
	useKnownDevice,
	useNewDevice,
	type Outcome,
	type Owner
} from './owners.ts';
import { startSite, type SiteOptions } from './site.ts';
import { guessWithTickets } from './ticket-guesses.ts';
import { attackerCores } from './solver.ts';
import { virtualTime } from './virtual-time.ts';

/** Seconds. */
const HOUR = 3600;
const CORES = 16;

export interface Attack {
	readonly name: string;
	/** The value of EMAIL_BUDGET. */
	readonly budget: string;
	/** Accounts whose owners use the site during the attack. */
	readonly owners: number;
	/** When each owner uses the known device, in seconds. */
	readonly knownAt: (owner: number) => readonly number[];
	/** When the owner uses a new device. */
	readonly newAt: (owner: number) => readonly number[];
	readonly seconds: number;
	readonly start: (attacker: Attacker, owners: readonly Owner[]) => void;
}

/** Four sign-ins in each quarter of an hour. The devices of one account have five sends in that time. */
const EVERY_225_SECONDS = times(16, (index) => 60 + index * 225);
const SIX_TIMES = times(6, (index) => 300 + index * 600);

const onOneOwner = (
	name: string,
	networks: number,
	target: (email: string, send: number) => string
): Attack => ({
	name,
	budget: '',
	owners: 1,
	knownAt: () => EVERY_225_SECONDS,
	newAt: () => SIX_TIMES,
	seconds: HOUR,
	start: (attacker, [owner]) =>
		takeSends(attacker, networks, (send) => target(owner?.email ?? '', send))
});

/** 100 owners sign in during an attack on other addresses. Ten of them use a new device. */
const besideOwners = (
	seconds: number
): Pick<Attack, 'owners' | 'knownAt' | 'newAt' | 'seconds'> => ({
	owners: 100,
	knownAt: (owner) => [Math.floor(((owner + 0.5) * seconds) / 100)],
	// At another time than the known device, because both would read the newest email.
	newAt: (owner) => (owner % 10 === 5 ? [Math.floor((((owner + 50) % 100) * seconds) / 100)] : []),
	// Those who were refused need time to come back.
	seconds: HOUR
});

/** `scale` is the part of the flood that is carried out: 1 is 100,000 addresses in an hour. */
export const attacksAt = (scale: number): readonly Attack[] => {
	const flood = { addresses: 100_000 * scale, networks: 10_000 * scale, seconds: HOUR * scale };
	const floodName = `${flood.addresses} addresses, ${flood.networks} networks`;
	const aFlood = (name: string, budget: string, seconds: number): Attack => ({
		name: `${floodName}, ${name}`,
		budget,
		...besideOwners(seconds),
		start: (attacker) => sendToMany(attacker, { ...flood, seconds })
	});
	// Enough for the owners, also when the flood is scaled down.
	const limit = String(Math.max(1000, 10_000 * scale));
	const guessing = { networks: 200, perSecond: 10, seconds: 30 };
	return [
		onOneOwner('one address, 1 network', 1, (email) => email),
		onOneOwner('one address, 200 networks', 200, (email) => email),
		onOneOwner('plus-addresses of one mailbox, 200 networks', 200, (email, send) =>
			email.replace('@', `+${send}@`)
		),
		aFlood('no budget', '', flood.seconds),
		aFlood(`EMAIL_BUDGET=${limit}`, limit, flood.seconds),
		aFlood('no budget, four times as fast', '', flood.seconds / 4),
		{
			name: 'guessing over 300 addresses, 200 networks',
			budget: '',
			...besideOwners(guessing.seconds),
			start: (attacker) => guessMany(attacker, guessing)
		},
		{
			name: 'the same guessing, with tickets',
			budget: '',
			...besideOwners(guessing.seconds),
			start: (attacker) => guessWithTickets(attacker, guessing)
		}
	];
};

export interface Result extends Outcome, Readonly<Attacker['gains']> {
	readonly processorSeconds: number;
	/** Megabytes at most. */
	readonly memory: number;
}

/** Runs an attack against one build on one database. */
export const runAttack = async (
	attack: Attack,
	options: Omit<SiteOptions, 'budget'>,
	levelZero: number
): Promise<Result> => {
	// The accounts are made by another server, so that no limit refuses them.
	const earlier = await startSite({ ...options, budget: 'off' });
	const { databaseUrl } = earlier.server;
	const site = await startSite({ ...options, databaseUrl, budget: attack.budget });
	try {
		const owners = await inBatches(
			times(attack.owners, (index) => `owner-${index}`),
			5,
			(name) => makeOwner(earlier, name)
		);
		const time = virtualTime(site.server);
		const cores = attackerCores(CORES, levelZero);
		const outcome = emptyOutcome();
		for (const [index, owner] of owners.entries()) {
			useKnownDevice(site, time, owner, attack.knownAt(index), outcome);
			for (const arrival of attack.newAt(index)) {
				useNewDevice(site, time, owner.email, arrival, outcome);
			}
		}
		const gains = { emails: 0, guesses: 0, lastGuess: 0 };
		// Only a build of an earlier commit has a folder.
		const provesWork = options.folder === undefined;
		attack.start({ site, time, cores, provesWork, gains }, owners);
		await time.run(attack.seconds);
		return { ...outcome, ...gains, processorSeconds: cores.used(), memory: site.peakMemory() };
	} finally {
		await site.stop();
		await earlier.stop();
	}
};
