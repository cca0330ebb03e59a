import { err, type Result } from '#lib/domain/errors.ts';

/** A checked value, or why it is invalid and how to fix it. */
export type Checked<T> = Result<T, { readonly why: string; readonly fix: string }>;

export const refuse = (why: string, fix: string): Checked<never> => err({ why, fix });

/** How the parts of the configuration report their findings. */
export interface Findings {
	readonly value: (name: string) => string | undefined;
	readonly note: <T>(name: string, outcome: Checked<T>, otherwise: T) => T;
	readonly warn: (line: string) => void;
}
