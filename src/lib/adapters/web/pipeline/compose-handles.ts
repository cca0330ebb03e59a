import type { Handle, ResolveOptions } from '@sveltejs/kit/hooks';

/**
 * Combines several hooks into one; each hook calls the next with `resolve`. The framework's
 * `sequence` also opens a span and an async context per hook, which took as long as all the hooks
 * together. If two hooks set the same resolve option, the later hook wins.
 */
export const composeHandles =
	(...hooks: readonly Handle[]): Handle =>
	({ event, resolve }) => {
		const from =
			(place: number, earlier: ResolveOptions = {}): typeof resolve =>
			(event, options) => {
				const all = options === undefined ? earlier : { ...earlier, ...options };
				const hook = hooks[place];
				if (hook === undefined) return resolve(event, all);
				// An async wrapper per hook would cost three microtasks.
				try {
					return Promise.resolve(hook({ event, resolve: from(place + 1, all) }));
				} catch (thrown) {
					return Promise.reject(thrown as Error);
				}
			};
		return from(0)(event);
	};
