import type { Deps } from '#lib/domain/deps.ts';
import type { EndedGrant } from '#lib/domain/oidc/ports.ts';
import type { Log } from '#lib/domain/ports.ts';
import { secondsAfter, type After } from '#lib/domain/time.ts';

/** A client of the library, whose types lack `backchannelLogout`. */
export interface LogoutClient {
	readonly backchannelLogoutUri?: string;
	backchannelLogout(sub: string, sid: string): Promise<void>;
}

export interface WorkerDeps extends Deps<'oidcStore' | 'clock'> {
	readonly after: After;
	readonly log: Log;
	readonly clientOf: (id: string) => Promise<LogoutClient | undefined>;
}

const POLL_MS = 2_000;
/** How many applications are told at once. */
const BATCH = 10;
/** Longer than an attempt takes. */
const LEASE_S = 60;
/** The pause doubles after each attempt, up to an hour. */
const FIRST_PAUSE_S = 10;
const LONGEST_PAUSE_S = 3600;
/** With these pauses, they take 24 hours. */
const ATTEMPTS = 33;

/**
 * Tells applications that a session has ended. There is no queue: a grant without a session means that
 * its application must be told. Afterwards the grant is removed.
 */
export const logoutWorker = ({ oidcStore, clock, after, log, clientOf }: WorkerDeps) => {
	let cancel = (): void => undefined;
	let running: Promise<void> = Promise.resolve();
	let isStopped = false;
	let isDown = false;

	const notify = async (grant: EndedGrant): Promise<void> => {
		const { id, userId, clientId, attempt } = grant;
		try {
			const client = await clientOf(clientId);
			if (client?.backchannelLogoutUri) await client.backchannelLogout(userId, id);
		} catch (error) {
			const { message, cause } = error as Error;
			const reason = cause instanceof Error ? cause.message : message;
			const isLast = attempt >= ATTEMPTS;
			const name = isLast ? 'oidc_logout_given_up' : 'oidc_logout_failed';
			log.event(name, { application: clientId, attempt, reason });
			const pause = Math.min(FIRST_PAUSE_S * 2 ** (attempt - 1), LONGEST_PAUSE_S);
			if (!isLast) return oidcStore.retryEnded(grant, secondsAfter(clock.now(), pause));
		}
		await oidcStore.removeEnded(grant);
	};

	const onFault = (fault: unknown): void => {
		if (!isDown) log.fault('oidc logout', fault);
		isDown = true;
	};

	const notifyAll = async (): Promise<void> => {
		let due;
		do {
			const now = clock.now();
			due = await oidcStore.leaseEnded(now, secondsAfter(now, LEASE_S), BATCH);
			isDown = false;
			// One that fails does not end the wait for the others, which still use the store.
			await Promise.all(due.map((grant) => notify(grant).catch(onFault)));
		} while (due.length === BATCH && !isStopped);
	};

	const poll = (): void => {
		running = notifyAll()
			.catch(onFault)
			.then(() => {
				if (!isStopped) cancel = after(POLL_MS, poll);
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
