import type { Background } from '#lib/domain/index.ts';

export interface ImmediateBackground extends Background {
	/** The failures so far. */
	readonly failures: readonly { readonly name: string; readonly error: unknown }[];
	/** Resolves once nothing is pending, including work added meanwhile. */
	flush(): Promise<void>;
}

/** Starts work as soon as its caller awaits. A test can wait for it with `flush`. */
export const immediateBackground = (): ImmediateBackground => {
	const failures: { name: string; error: unknown }[] = [];
	const pending = new Set<Promise<void>>();
	return {
		failures,
		run: (name, work) => {
			const running = Promise.resolve()
				.then(work)
				.catch((error: unknown) => void failures.push({ name, error }))
				.finally(() => pending.delete(running));
			pending.add(running);
		},
		paced: (piece) => piece(),
		flush: async () => {
			while (pending.size > 0) await Promise.all(pending);
		}
	};
};
