type Makers = Readonly<Record<string, (input: never) => unknown>>;

/** What each of the makers makes, by its name. */
export type Made<M extends Makers> = { readonly [Name in keyof M]: ReturnType<M[Name]> };

/** What all makers need, together. */
export type NeedsOf<M extends Makers> = M[keyof M] extends (input: infer Input) => unknown
	? Input
	: never;

/** Calls each maker with the same input. */
export const makeAll = <M extends Makers>(makers: M, input: NeedsOf<M>): Made<M> => {
	const made = Object.entries(makers).map(([name, make]) => [name, make(input as never)]);
	return Object.fromEntries(made) as Made<M>;
};
