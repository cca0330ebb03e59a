import { en } from './en.ts';

/** The same keys in any language; texts and functions of the same parameters. */
export type Messages = Widened<typeof en>;

type Widened<T> = T extends string
	? string
	: T extends (...values: infer P) => string
		? (...values: P) => string
		: { readonly [K in keyof T]: Widened<T[K]> };

/** The texts of this build. Pages and forms read them here and nowhere else. */
export const messages: Messages = en;
