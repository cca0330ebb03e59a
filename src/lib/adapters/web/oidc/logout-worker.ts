import type { EndedGrant, OidcStore } from '#lib/domain/oidc/ports.ts';
import { OIDC } from '#lib/domain/oidc/use-cases.ts';
import { secondsAfter, type Clock } from '#lib/domain/time.ts';

/** Of the library. Its types lack the method. */
export interface ToldClient {
	readonly backchannelLogoutUri?: string;
	backchannelLogout(sub: string, sid: string): Promise<void>;
}

export interface WorkerDeps {
	readonly oidcStore: OidcStore;
	readonly clock: Clock;
	readonly timing: {
		now(): number;
		after(milliseconds: number, run: () => void): () => void;
	};
	readonly log: {
		event(name: string, fields: Readonly<Record<string, string | number>>): void;
		fault(where: string, fault: unknown): void;
	};
	readonly clientOf: (id: string) => Promise<ToldClient | undefined>;
}

/** How often a process looks for ended sessions, in milliseconds. */
const POLL = 2_000;
/** Every so many polls, it removes requests that nobody continued. The daily task is too rare for them. */
const PRUNING = 30;
const PRUNED = 1000;
/** How many applications it tells at the same time. */
const PLACES = 10;
/** In seconds. Longer than an attempt takes. */
const LEASE = 60;
/** In seconds. The pause doubles after each attempt, up to an hour. */
const FIRST_PAUSE = 10;
const LONGEST_PAUSE = 3600;

/**
 * Tells applications that a session has ended. Nothing has to be queued: a grant whose session is gone is
 * the order, and its row is removed when the application knows.
 */
export const logoutWorker = ({ oidcStore, clock, timing, log, clientOf }: WorkerDeps) => {
	let cancel = (): void => undefined;
	let running: Promise<void> = Promise.resolve();
	let isStopped = false;
	let isDown = false;
	let polls = 0;

	const tell = async (grant: EndedGrant): Promise<void> => {
		const now = clock.now();
		try {
			const client = await clientOf(grant.clientId);
			if (client?.backchannelLogoutUri) await client.backchannelLogout(grant.userId, grant.id);
			await oidcStore.removeGrant(grant.id);
		} catch (error) {
			const fields = {
				client: grant.clientId,
				attempt: grant.attempt,
				reason: error instanceof Error ? error.message : 'unknown'
			};
			if (now >= secondsAfter(grant.endedAt, OIDC.logoutAttempts)) {
				log.event('oidc_logout_given_up', fields);
				return oidcStore.removeGrant(grant.id);
			}
			log.event('oidc_logout_failed', fields);
			const pause = Math.min(FIRST_PAUSE * 2 ** (grant.attempt - 1), LONGEST_PAUSE);
			await oidcStore.retryEnded(grant, secondsAfter(now, pause));
		}
	};

	const tellAll = async (): Promise<void> => {
		try {
			if (polls++ % PRUNING === 0) await oidcStore.prune(clock.now(), PRUNED);
			for (;;) {
				const now = clock.now();
				const due = await oidcStore.leaseEnded(now, secondsAfter(now, LEASE), PLACES);
				await Promise.all(due.map(tell));
				isDown = false;
				if (due.length < PLACES || isStopped) return;
			}
		} catch (fault) {
			if (!isDown) log.fault('oidc logout', fault);
			isDown = true;
		}
	};

	const poll = (): void => {
		running = tellAll().then(() => {
			if (!isStopped) cancel = timing.after(POLL, poll);
		});
	};

	return {
		start: poll,
		stop: async (): Promise<void> => {
			isStopped = true;
			cancel();
			await running;
		}
	};
};
