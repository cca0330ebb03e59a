import type { HeaderObject } from './types.ts';

const header = (
	description: string,
	required: boolean,
	type: 'integer' | 'string'
): HeaderObject => ({
	description,
	required,
	schema: type === 'integer' ? { type, minimum: 1 } : { type }
});

/** Headers of error responses. */
export const refusalHeaders = {
	RetryAfter: header('Whole seconds after which it is worth to ask again.', true, 'integer'),
	XRetryAfter: header('The same, for programs that cannot read the other.', false, 'integer'),
	Allow: header('The methods that the path has.', true, 'string')
};
