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
			async (event, options) => {
				const all = options === undefined ? earlier : { ...earlier, ...options };
				const hook = hooks[place];
				return hook === undefined
					? resolve(event, all)
					: hook({ event, resolve: from(place + 1, all) });
			};
		return from(0)(event);
	};
