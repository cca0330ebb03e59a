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
	RetryAfter: header('The number of seconds to wait before a retry.', true, 'integer'),
	XRetryAfter: header(
		'The same value, for clients that cannot read `Retry-After`.',
		false,
		'integer'
	),
	Allow: header('The methods that the path supports.', true, 'string')
};
