import type { RequestEvent } from '@sveltejs/kit';
import type { Handle } from '@sveltejs/kit/hooks';

/**
 * A step before a request reaches its route: it lets it through, having put on it what later steps
 * need (null), or answers it.
 */
export type Gate = (event: RequestEvent) => Response | null | Promise<Response | null>;

/** Leads requests through gates, from the first to the last; only one that has to ask is waited for. */
export const gates =
	(...all: readonly Gate[]): Handle =>
	async ({ event, resolve }) => {
		for (const gate of all) {
			const verdict = gate(event);
			const answer = verdict instanceof Promise ? await verdict : verdict;
			if (answer !== null) return answer;
		}
		return resolve(event);
	};
