import type { DomainErrorCode } from '#lib/domain/errors.ts';
import { defaultPolicy } from '#lib/domain/policy.ts';
import { DAY, MINUTE } from '#lib/domain/time.ts';
import {
	httpErrors,
	type HttpErrorCode,
	type WireCode,
	type WireError
} from '../../http/http-errors.ts';
import { outcomes } from '../../http/outcome.ts';
import { REDIRECT_ERRORS } from '../../http/redirects.ts';
import type { ApiErrorCode, Operation } from '../operation.ts';
import type { HeaderObject, JsonSchema, ResponseObject } from './types.ts';

const { code, deletion, emailChange } = defaultPolicy;

/** What an error means, where its message in the contract does not say it. */
const MEANINGS = {
	INVALID_OTP:
		'The code is wrong, unknown or used, or the email address is not the one that it was sent to.',
	OTP_EXPIRED: `The code is older than ${code.lifetime / MINUTE} minutes.`,
	TOO_MANY_ATTEMPTS: 'All attempts for this code are used. Further attempts return INVALID_OTP.',
	INVALID_EMAIL: 'This is not an email address.',
	EMAIL_IS_THE_SAME: 'The account has this email address already.',
	EMAIL_ALREADY_IN_USE:
		'Another account has taken the email address since the code or the link was sent.',
	EMAIL_NOT_SENT:
		'The email could not be sent, or too many others wait for the mail server (then with `Retry-After`). An earlier code stays valid.',
	SESSION_NOT_FRESH:
		'The session signed in too long ago. A code was sent to the current email address: repeat the call with it as `otp`.',
	VERIFICATION_EMAIL_NOT_ENABLED: 'This installation sends no links.',
	CHALLENGE_REQUIRED:
		'Solve the `challenge` of this response, and repeat the call with the answer in `X-Postern-Proof`.',
	ACCOUNT_DELETED: `The account was deleted in the last ${deletion.grace / DAY} days. The code stays valid for the same call with \`restore\`.`,
	ACCOUNT_BLOCKED: 'An operator blocked the account. The code stays valid.',
	ADDRESS_RESERVED: `An account changed its email address from this one in the last ${emailChange.undoFor / DAY} days. The page at \`undoPath\` changes it back. The code stays valid.`,
	UNAUTHORIZED: 'The call needs a session.',
	INVALID_ORIGIN: 'The call comes from a page of an origin that is not trusted.',
	MISSING_OR_NULL_ORIGIN: 'The credential is a cookie, and no header states the origin.',
	SERVICE_UNAVAILABLE: 'The database is not available.'
} satisfies Partial<Record<WireCode, string>> as Readonly<Record<string, string>>;

export const meaningOf = ({ code, message }: WireError): string => MEANINGS[code] ?? message;

const WAITS: Readonly<Record<string, HeaderObject>> = {
	'Retry-After': {
		description: 'The number of seconds to wait before a retry. Absent if waiting does not help.',
		required: false,
		schema: { type: 'integer', minimum: 1 }
	},
	'X-Retry-After': {
		description: 'The same value, for clients that cannot read `Retry-After`.',
		required: false,
		schema: { type: 'integer', minimum: 1 }
	}
};

const ERROR: JsonSchema = { $ref: '#/components/schemas/Error' };

/** The error responses by status. */
export const errorResponses = (
	errors: readonly WireError[]
): Readonly<Record<string, ResponseObject>> => {
	const responseOf = (status: number, some: readonly WireError[]): ResponseObject => ({
		description: some.map((error) => `\`${error.code}\`: ${meaningOf(error)}`).join('\n\n'),
		...(status === 429 || status === 503 ? { headers: WAITS } : {}),
		content: {
			'application/json': {
				schema: {
					allOf: [ERROR, { properties: { code: { enum: some.map(({ code }) => code) } } }]
				}
			}
		}
	});
	const byStatus = Map.groupBy(errors, ({ status }) => status);
	return Object.fromEntries(
		[...byStatus].map(([status, some]) => [status, responseOf(status, some)])
	);
};

/** Errors that follow from the shape of an operation, in the order of the checks. */
const SHARED: readonly {
	/** The calls that can have them, in words. */
	readonly calls: string;
	readonly appliesTo: (operation: Operation) => boolean;
	readonly codes: readonly HttpErrorCode[];
}[] = [
	{
		calls: 'calls with a limit',
		appliesTo: ({ limit }) => limit !== 'none',
		codes: ['too_many_requests']
	},
	{
		calls: 'calls that change state',
		appliesTo: ({ method }) => method !== 'GET',
		codes: ['invalid_origin', 'missing_or_null_origin']
	},
	{
		calls: 'calls with a body',
		appliesTo: ({ body }) => body !== undefined,
		codes: ['unsupported_media_type', 'payload_too_large', 'bad_request', 'validation_error']
	},
	{ calls: 'all calls', appliesTo: () => true, codes: REDIRECT_ERRORS },
	{
		calls: 'calls that take a client key',
		appliesTo: ({ takesProgramKey }) => takesProgramKey === true,
		codes: ['invalid_client_key']
	},
	{
		calls: 'calls that need a session',
		appliesTo: ({ session }) => session === 'required',
		codes: ['unauthorized']
	},
	{
		calls: 'calls that take a proof of work',
		appliesTo: ({ takesProof }) => takesProof === true,
		codes: ['invalid_proof']
	},
	{ calls: 'all calls', appliesTo: () => true, codes: ['service_unavailable', 'internal_error'] }
];

/** All errors of an operation, in the form of the API. */
export const possibleErrors = (operation: Operation): readonly WireError[] => {
	const shared = SHARED.filter(({ appliesTo }) => appliesTo(operation));
	const codes = [...shared.flatMap(({ codes }) => codes), ...(operation.errors ?? [])];
	// The errors of two limits have the same code and message.
	return [...new Map(codes.map(wireErrorOf).map((error) => [error.code, error])).values()];
};

const wireErrorOf = (code: ApiErrorCode): WireError =>
	httpErrors[code in outcomes ? outcomes[code as DomainErrorCode].wire : (code as HttpErrorCode)];

/** The errors that many operations share, with the calls that can have them. */
export const sharedErrors: readonly (WireError & { readonly calls: string })[] = SHARED.flatMap(
	({ calls, codes }) => codes.map((code) => ({ ...wireErrorOf(code), calls }))
);
