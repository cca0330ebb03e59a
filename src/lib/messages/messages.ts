import type * as en from './en.ts';

/**
 * The texts of this build. Pages and forms read them here and nowhere else, by their names
 * (`messages.home.title`), so that the build sees which ones a page needs. Another language is
 * another such file with the same names, and the texts of `adapters/mail/emails` in that language.
 */
export * as messages from './en.ts';

/** Every language has the same names, and functions with the same parameters. */
export type Messages = Widened<typeof en>;

type Widened<T> = T extends string
	? string
	: T extends (...values: infer P) => string
		? (...values: P) => string
		: { readonly [K in keyof T]: Widened<T[K]> };
