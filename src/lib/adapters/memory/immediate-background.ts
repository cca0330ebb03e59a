import type { Background } from '#lib/domain/index.ts';

export interface ImmediateBackground extends Background {
	/** What failed so far. */
	readonly failures: readonly { readonly name: string; readonly error: unknown }[];
	/** Resolves once nothing is pending, work that was added meanwhile included. */
	flush(): Promise<void>;
}

/** Work that begins as soon as its caller pauses, and that a test can wait for. */
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
		unhurried: (piece) => piece(),
		flush: async () => {
			while (pending.size > 0) await Promise.all(pending);
		}
	};
};
