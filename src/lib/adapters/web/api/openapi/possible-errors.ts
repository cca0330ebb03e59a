import type { DomainErrorCode } from '#lib/domain/errors.ts';
import { httpErrors, type HttpErrorCode, type WireError } from '../../http/http-errors.ts';
import { outcomes } from '../../http/outcome.ts';
import { REDIRECT_ERRORS } from '../../http/redirects.ts';
import { limitsOf, type Charge } from '../../edge/limits/route-limits.ts';
import type { ApiErrorCode, Operation } from '../operation.ts';

/** The limits that an operation counts against, per client. */
export const chargesOf = ({ method, path }: Operation): readonly Charge[] =>
	limitsOf({ method, routeId: path, pathname: path, action: () => 'default' });

/** All errors of an operation, in the form of the API and in the order of the checks. */
export const possibleErrors = (operation: Operation): readonly WireError[] => {
	const codes: readonly ApiErrorCode[] = [
		...when(chargesOf(operation).length > 0, ['too_many_requests']),
		...when(operation.method !== 'GET', ['invalid_origin', 'missing_origin']),
		...when(operation.body !== null, [
			'unsupported_media_type',
			'payload_too_large',
			'bad_request',
			'validation_error'
		]),
		...REDIRECT_ERRORS,
		...when(operation.takesClientKey === true, ['invalid_client_key']),
		...when(operation.session === 'required', ['unauthorized']),
		...when(operation.takesProof !== undefined, ['invalid_proof']),
		...operation.errors,
		'service_unavailable',
		'internal_error'
	];
	// The errors of two limits have the same code and message.
	return [...new Map(codes.map(wireErrorOf).map((error) => [error.code, error])).values()];
};

/** The errors of requests that match no operation. */
export const ELSEWHERE: readonly WireError[] = [
	httpErrors.not_found,
	httpErrors.method_not_allowed
];

const when = (so: boolean, codes: readonly HttpErrorCode[]): readonly HttpErrorCode[] =>
	so ? codes : [];

const wireErrorOf = (code: ApiErrorCode): WireError =>
	code in httpErrors ? httpErrors[code as HttpErrorCode] : outcomes[code as DomainErrorCode];
