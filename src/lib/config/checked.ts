import { err, type Result } from '#lib/domain/result.ts';

/** A checked value, or why it is invalid and how to fix it. */
export type Checked<T> = Result<T, { readonly why: string; readonly mend: string }>;

export const refuse = (why: string, mend: string): Checked<never> => err({ why, mend });

/** How the parts of the configuration report their findings. */
export interface Findings {
	readonly value: (name: string) => string | undefined;
	readonly note: <T>(name: string, outcome: Checked<T>, otherwise: T) => T;
	readonly warn: (line: string) => void;
}
