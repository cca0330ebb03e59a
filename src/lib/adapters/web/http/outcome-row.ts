import type { DomainError, DomainErrorCode } from '#lib/domain/errors.ts';

/** How a domain error is presented: to API clients by the contract, to people as text. */
export interface Outcome<C extends DomainErrorCode> {
	readonly status: number;
	readonly code: string;
	/** Part of the API contract, so it is not translated. */
	readonly message: string;
	readonly text: (error: Extract<DomainError, { code: C }>) => string;
	/**
	 * For an error with `retryAfter`: what the form says while its button counts the seconds. `endsOnEdit`
	 * if another email address can be used at once.
	 */
	readonly wait?: {
		readonly reason: (error: Extract<DomainError, { code: C }>) => string;
		readonly endsOnEdit: boolean;
	};
	/** The form field for the text. Null if it concerns the whole form. */
	readonly field: 'email' | 'code' | null;
	/** Fields of the API error besides code and message. */
	readonly more?: (error: Extract<DomainError, { code: C }>) => Readonly<Record<string, string>>;
}
