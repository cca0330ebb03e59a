import type { LogCounts, NetworkWrongCodes } from '#lib/domain/limits/ports.ts';
import type { AuthPolicy } from '#lib/domain/policy.ts';
import type { Monotonic } from '../session/cache-validity.ts';
import { rateLimiter } from './limiter.ts';

interface NetworkWrongCodesDeps {
	readonly monotonic: Monotonic;
	readonly policy: AuthPolicy;
	readonly log: LogCounts;
}

/** Networks that are counted at once. Each stores at most 30 times, so all take about 5 MB. */
const CAPACITY = 12_500;
const MINUTE_MS = 60_000;

/**
 * Counts in memory, so N instances allow up to N times as many wrong codes. It is not with the
 * stores, because it uses the limiter of the requests.
 */
export const networkWrongCodes = ({
	monotonic,
	policy,
	log
}: NetworkWrongCodesDeps): NetworkWrongCodes => {
	const { networkLimit: limit, networkWindow: window, logAbove } = policy.wrongCodes;
	const limiter = rateLimiter({ limit, window, monotonic, capacity: CAPACITY });
	let minute = { since: -Infinity, wrong: 0 };

	/** Logs a line when the wrong codes of a minute exceed the bound. */
	const logManyWrong = (): void => {
		const now = monotonic();
		if (now - minute.since >= MINUTE_MS) minute = { since: now, wrong: 0 };
		minute.wrong += 1;
		if (minute.wrong === logAbove + 1) log('many_wrong_codes', {});
	};

	return {
		countCheck: (network) => limiter.hit(network) || null,
		endCheck: (network, wasWrong) => {
			if (wasWrong) logManyWrong();
			else limiter.giveBack(network);
		}
	};
};
