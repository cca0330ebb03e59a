import {
	hourOf,
	limitOf,
	OTHER_HOST,
	type AuthPolicy,
	type Clock,
	type CodeReceipts,
	type Delivery,
	type DeliveryFigures,
	type EmailedCode,
	type Fact,
	type HourCount,
	type MailHost
} from '#lib/domain/index.ts';
import type { Timing } from '../delivery/usual-duration.ts';
import type { MailHosts } from './mail-hosts.ts';
import { openCodes, type OpenCode } from './open-codes.ts';

export interface CountCodesDeps {
	readonly mailHosts: MailHosts;
	readonly deliveryFigures: DeliveryFigures;
	readonly clock: Clock;
	readonly timing: Timing;
	readonly policy: AuthPolicy;
	readonly onFault: (where: string, fault: unknown) => void;
}

export interface CodeCounter extends CodeReceipts {
	/** An attempt to send a code has ended, or what is done instead for an email that is not sent. */
	attempted(code: OpenCode, outcome: Delivery | 'not_meant'): void;
	/** For shutdown: writes what is counted. */
	finish(): Promise<void>;
}

/** What an outcome counts as. */
const OUTCOMES = {
	sent: 'sent',
	unknown: 'sent',
	not_meant: 'sent',
	rejected: 'refused',
	bounced: 'refused',
	refused: 'not_sent',
	busy: 'not_sent'
} as const satisfies Record<Delivery | 'not_meant', string>;

/** Counts are written this often, in milliseconds. A process that is killed loses them. */
const PAUSE = 10_000;
/** How long a shutdown waits for the DNS. */
const PATIENCE = 1_000;
/** The most counts to keep while the store is down. Further hosts count as other. */
const CAPACITY = 4_000;

/** Counts in memory, and writes the counts in batches, so that a send needs no further statement. */
export const countCodes = (deps: CountCodesDeps): CodeCounter => {
	const { mailHosts, deliveryFigures, clock, timing, policy, onFault } = deps;
	const codes = openCodes(timing);
	const lookups = new Set<Promise<void>>();
	let batch = new Map<string, HourCount>();
	let cancelTimer: (() => void) | null = null;
	/** The last write failed. Only the first of several failures is reported. */
	let isDown = false;
	let isFinished = false;
	let writes = Promise.resolve();

	const put = (given: HourCount): void => {
		const keyOf = (host: MailHost): string => `${given.since.getTime()} ${host} ${given.fact}`;
		const hasRoom = batch.size < CAPACITY || batch.has(keyOf(given.host));
		const host = hasRoom ? given.host : OTHER_HOST;
		const key = keyOf(host);
		const count = given.count + (batch.get(key)?.count ?? 0);
		batch.set(key, { ...given, host, count });
		if (!isFinished) cancelTimer ??= timing.after(PAUSE, () => void write());
	};

	const writeBatch = async (): Promise<void> => {
		cancelTimer?.();
		cancelTimer = null;
		const taken = [...batch.values()];
		batch = new Map();
		if (taken.length === 0) return;
		try {
			await deliveryFigures.add(taken, policy.receipts.mostHosts);
			isDown = false;
		} catch (fault) {
			taken.forEach(put);
			if (!isDown) onFault('delivery figures', fault);
			isDown = true;
		}
	};

	/** One write at a time, so that the last one includes the counts of one that failed. */
	const write = (): Promise<void> => (writes = writes.then(writeBatch));

	const add = async ({ email, createdAt }: EmailedCode, fact: Fact, count: number) => {
		const host = await mailHosts.of(email.slice(email.lastIndexOf('@') + 1));
		put({ since: hourOf(createdAt), host, fact, count });
	};

	const count = (code: EmailedCode, fact: Fact, one = 1): void => {
		const counted = add(code, fact, one)
			.catch((fault: unknown) => onFault('mail host', fault))
			.finally(() => lookups.delete(counted));
		lookups.add(counted);
	};

	return {
		attempted: (code, outcome) => {
			const emailed = { email: code.email, createdAt: code.requestedAt };
			if (OUTCOMES[outcome] === 'refused') return count(emailed, 'refused');
			if (OUTCOMES[outcome] === 'not_sent') return;
			const kind = codes.sent(code);
			if (kind === 'same') return;
			// An email that is not meant to be sent costs the same work, which must not show it.
			const one = outcome === 'not_meant' ? 0 : 1;
			count(emailed, 'sent', one);
			if (kind === 'again') count(emailed, 'again', one);
		},
		entered: (code) => {
			codes.used(code);
			const seconds = (clock.now().getTime() - code.createdAt.getTime()) / 1000;
			count(code, `within_${limitOf(seconds)}`);
		},
		refused: (code) => count(code, 'refused'),
		finish: async () => {
			await new Promise<void>((resolve) => {
				const cancel = timing.after(PATIENCE, resolve);
				void Promise.all(lookups).then(() => {
					cancel();
					resolve();
				});
			});
			isFinished = true;
			await write();
		}
	};
};
