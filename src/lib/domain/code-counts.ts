import type { Email } from './email.ts';

/** What is counted for an account in each hour. Anybody can cause it. */
export type CountedKind = 'code_sent' | 'code_refused';

/** Counts codes and links that were sent, and codes that were refused. */
export interface CodeCounts {
	/**
	 * Takes the same time whether or not the address has an account. The count is stored later, for
	 * existing accounts only.
	 */
	note(kind: CountedKind, email: Email): void;
}
