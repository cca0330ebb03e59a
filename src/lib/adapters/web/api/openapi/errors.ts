import type { DomainErrorCode } from '#lib/domain/errors.ts';
import { httpErrors, type WireError, type HttpErrorCode } from '../../http/http-errors.ts';
import { exampleFields } from './error-schema.ts';
import { outcomes } from '../../http/outcome.ts';
import { REDIRECT_ERRORS } from '../../http/redirects.ts';
import { limitsOf, type Charge } from '../../edge/limits/route-limits.ts';
import { rulesOfOperations, type ApiErrorCode, type Operation } from '../operation.ts';
import type { Example, HeaderObject, JsonSchema, Reference, ResponseObject } from './types.ts';

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
		examples[code] = { value: { message, code, ...exampleFields[code] } };
		return { $ref: `#/components/examples/${code}` };
	};
	const responseOf = (status: number, errors: readonly WireError[]): ResponseObject => {
		const codes = errors.map(({ code }) => code);
		const headers = {
			'Retry-After': { $ref: '#/components/headers/RetryAfter' },
			'X-Retry-After': { $ref: '#/components/headers/XRetryAfter' }
		};
		return {
			description: errors.map(({ code, message }) => `\`${code}\`: ${message}`).join('\n\n'),
			...(status === 429 || status === 503 ? { headers } : {}),
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
		responses[name] ??= responseOf(error.status, [error]);
		return { $ref: `#/components/responses/${name}` };
	};

	return {
		examples,
		responses,
		of: (errors) => {
			const byStatus = Map.groupBy(errors, ({ status }) => status);
			return Object.fromEntries(
				[...byStatus].map(([status, some]) => {
					const [only] = some;
					return [status, some.length === 1 && only ? shared(only) : responseOf(status, some)];
				})
			);
		}
	};
};

export const refusalHeaders: Readonly<Record<string, HeaderObject>> = {
	RetryAfter: {
		description: 'The number of seconds to wait before a retry. Absent if waiting does not help.',
		required: false,
		schema: { type: 'integer', minimum: 1 }
	},
	XRetryAfter: {
		description: 'The same value, for clients that cannot read `Retry-After`.',
		required: false,
		schema: { type: 'integer', minimum: 1 }
	},
	Allow: {
		description: 'The methods that the path supports.',
		required: true,
		schema: { type: 'string' }
	}
};

export const chargesOf = (
	{ method, path }: Operation,
	all: readonly Operation[]
): readonly Charge[] => {
	const ofPath = all.filter((operation) => operation.path === path);
	const rules = rulesOfOperations(path, ofPath);
	return limitsOf({ method, rules, pathname: path, action: () => 'default' });
};

/** Errors that follow from the shape of an operation, in the order of the checks. */
const SHARED: readonly {
	/** The calls that can have them, in words. */
	readonly calls: string;
	readonly apply: (operation: Operation, charges: readonly Charge[]) => boolean;
	readonly codes: readonly HttpErrorCode[];
}[] = [
	{
		calls: 'calls with a limit',
		apply: (_, charges) => charges.length > 0,
		codes: ['too_many_requests']
	},
	{
		calls: 'calls that change state',
		apply: ({ method }) => method !== 'GET',
		codes: ['invalid_origin', 'missing_origin']
	},
	{
		calls: 'calls with a body',
		apply: ({ body }) => body !== undefined,
		codes: ['unsupported_media_type', 'payload_too_large', 'bad_request', 'validation_error']
	},
	{ calls: 'all calls', apply: () => true, codes: REDIRECT_ERRORS },
	{
		calls: 'calls that take a client key',
		apply: ({ takesProgramKey }) => takesProgramKey === true,
		codes: ['invalid_client_key']
	},
	{
		calls: 'calls that need a session',
		apply: ({ session }) => session === 'required',
		codes: ['unauthorized']
	},
	{
		calls: 'calls that take a proof of work',
		apply: ({ takesProof }) => takesProof === true,
		codes: ['invalid_proof']
	},
	{ calls: 'all calls', apply: () => true, codes: ['service_unavailable', 'internal_error'] }
];

/** All errors of an operation, in the form of the API. */
export const possibleErrors = (
	operation: Operation,
	charges: readonly Charge[]
): readonly WireError[] => {
	const shared = SHARED.filter(({ apply }) => apply(operation, charges));
	const codes = [...shared.flatMap(({ codes }) => codes), ...(operation.errors ?? [])];
	// The errors of two limits have the same code and message.
	return [...new Map(codes.map(wireErrorOf).map((error) => [error.code, error])).values()];
};

/** The errors of requests that match no operation. */
export const ELSEWHERE: readonly WireError[] = [
	httpErrors.not_found,
	httpErrors.method_not_allowed
];

const wireErrorOf = (code: ApiErrorCode): WireError =>
	code in httpErrors ? httpErrors[code as HttpErrorCode] : outcomes[code as DomainErrorCode];

/** The errors that many operations share, with the calls that can have them. */
export const sharedErrors: readonly (WireError & { readonly calls: string })[] = SHARED.flatMap(
	({ calls, codes }) => codes.map((code) => ({ ...wireErrorOf(code), calls }))
);
