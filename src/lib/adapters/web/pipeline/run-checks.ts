import type { RequestEvent } from '@sveltejs/kit';
import type { Handle } from '@sveltejs/kit/hooks';

/**
 * A step before a request reaches its route. It returns a response to end the request. It returns
 * null to continue, after it has attached what later steps need.
 */
export type Check = (event: RequestEvent) => Response | null | Promise<Response | null>;

type Input = Parameters<Handle>[0];

/** Runs the checks in order. Only a check that returns a promise is awaited. */
export const runChecks = (...all: readonly Check[]): Handle => {
	const pass = (from: number, input: Input): Response | Promise<Response> => {
		for (let place = from; place < all.length; place += 1) {
			const verdict = all[place]?.(input.event) ?? null;
			if (verdict instanceof Promise) {
				return verdict.then((answer) => answer ?? pass(place + 1, input));
			}
			if (verdict !== null) return verdict;
		}
		return input.resolve(input.event);
	};
	return (input) => pass(0, input);
};
