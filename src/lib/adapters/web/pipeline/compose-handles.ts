import type { Handle, ResolveOptions } from '@sveltejs/kit/hooks';

/**
 * One hook of several, each of which calls the next by `resolve`. Unlike the framework's `sequence`
 * it opens no span and no asynchronous context for each of them, which took as long as all of them
 * together. Options of a later hook win over those of an earlier one, name by name.
 */
export const inOrder =
	(...hooks: readonly Handle[]): Handle =>
	({ event, resolve }) => {
		const from =
			(place: number, earlier: ResolveOptions = {}): typeof resolve =>
			(event, options) => {
				const all = options === undefined ? earlier : { ...earlier, ...options };
				const hook = hooks[place];
				if (hook === undefined) return resolve(event, all);
				// A promise of its own for each would take three turns of the queue each.
				try {
					return Promise.resolve(hook({ event, resolve: from(place + 1, all) }));
				} catch (thrown) {
					return Promise.reject(thrown as Error);
				}
			};
		return from(0)(event);
	};
