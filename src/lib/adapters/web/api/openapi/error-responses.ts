import type { WireError } from '../../http/http-errors.ts';
import { examplePuzzle, examplePurgeAt, exampleUndoPath, exampleUndoUntil } from '../examples.ts';
import type { Example, JsonSchema, Reference, ResponseObject } from './types.ts';

/** The fields of an error besides message and code, by error code. */
const MORE: Readonly<Record<string, object>> = {
	ACCOUNT_DELETED: { purgeAt: examplePurgeAt },
	ADDRESS_RESERVED: { undoPath: exampleUndoPath, undoUntil: exampleUndoUntil },
	CHALLENGE_REQUIRED: { challenge: examplePuzzle }
};

/** `TOO_MANY_REQUESTS` becomes the response `TooManyRequests`. */
const nameOf = (code: string): string =>
	code.toLowerCase().replace(/(?:^|_)(.)/g, (_, letter: string) => letter.toUpperCase());

/** The error responses. A response that occurs twice is written once and referenced. */
export interface ErrorResponses {
	readonly examples: Readonly<Record<string, Example>>;
	readonly responses: Readonly<Record<string, ResponseObject>>;
	/** By status. */
	of(errors: readonly WireError[]): Readonly<Record<string, ResponseObject | Reference>>;
}

export const errorResponses = (errorSchema: JsonSchema): ErrorResponses => {
	const examples: Record<string, Example> = {};
	const responses: Record<string, ResponseObject> = {};

	const exampleOf = ({ code, message }: WireError): Reference => {
		examples[code] = { value: { message, code, ...MORE[code] } };
		return { $ref: `#/components/examples/${code}` };
	};
	const responseOf = (errors: readonly WireError[]): ResponseObject => {
		const codes = errors.map(({ code }) => code);
		const waits = errors.some(({ status }) => status === 429 || status === 503);
		const headers = {
			'Retry-After': { $ref: '#/components/headers/RetryAfter' },
			'X-Retry-After': { $ref: '#/components/headers/XRetryAfter' }
		};
		return {
			description: errors.map(({ code, message }) => `\`${code}\`: ${message}`).join('\n\n'),
			...(waits ? { headers } : {}),
			...(codes.includes('METHOD_NOT_ALLOWED')
				? { headers: { Allow: { $ref: '#/components/headers/Allow' } } }
				: {}),
			content: {
				'application/json': {
					schema: { allOf: [errorSchema, { properties: { code: { enum: codes } } }] },
					examples: Object.fromEntries(errors.map((error) => [error.code, exampleOf(error)]))
				}
			}
		};
	};
	const shared = (error: WireError): Reference => {
		const name = nameOf(error.code);
		responses[name] ??= responseOf([error]);
		return { $ref: `#/components/responses/${name}` };
	};

	return {
		examples,
		responses,
		of: (errors) => {
			const byStatus = Map.groupBy(errors, ({ status }) => String(status));
			return Object.fromEntries(
				[...byStatus].map(([status, some]) => {
					const [only] = some;
					return [status, some.length === 1 && only ? shared(only) : responseOf(some)];
				})
			);
		}
	};
};
