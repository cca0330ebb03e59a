import { isHttpError, type RequestEvent, type RequestHandler } from '@sveltejs/kit';
import type * as z from 'zod';
import { err, ok, type Result } from '#lib/domain/errors.ts';
import { PROOF_HEADER } from '../http/request-headers.ts';
import { apiError, httpError, isOwnHttpError, methodNotAllowed } from '../http/http-errors.ts';
import { answerFault } from '../http/faults.ts';
import { presentedKeyOfCall, proofScopeOf } from '../edge/client.ts';
import type { CountedEvent, LimitName } from '../edge/limits/limits.ts';
import { readApiForm, readJson } from '../http/api-body.ts';
import { jsonResponse } from '../http/responses.ts';
import { jsonOutcome, outcomeOf } from '../http/outcome.ts';
import { refuseRedirects } from '../http/redirects.ts';
import type { ApiError, HandlerInput, HandlerResult, Operation } from './operation.ts';

/** The limits `send` and `check` count POST requests only. */
type EventOf<O extends Operation> = CountedEvent<
	O extends { method: 'POST'; limit: infer Limit extends LimitName } ? Limit : 'none'
>;

/**
 * What the route of an operation exports: its method, and the `fallback` for all others. The method
 * handles redirect targets, body, program key, session and proof, in this order, before it calls
 * `handle`. The handler can only return responses that the operation declares.
 */
export const endpoint = <O extends Operation>(
	operation: O,
	handle: (
		event: EventOf<O>,
		given: HandlerInput<O>
	) => Promise<HandlerResult<O>> | HandlerResult<O>
): Readonly<Record<O['method'] | 'fallback', RequestHandler>> => {
	const handler: RequestHandler = async (event) => {
		try {
			const hasInput = operation.body !== undefined || event.url.search !== '';
			const read = hasInput ? await readInput(event, operation) : NOTHING;
			if (!read.ok) return read.error;
			const presentedKey = operation.takesProgramKey ? presentedKeyOfCall(event) : NOTHING;
			if (!presentedKey.ok) return httpError(presentedKey.error.code);
			const { user, session } = event.locals;
			if (operation.session === 'required' && session === null) return httpError('unauthorized');
			const { value: body } = read;
			const { app } = event.locals;
			const scope =
				operation.takesProof && app.config.proofOfWork
					? proofScopeOf(event, String((body as { email: unknown }).email), presentedKey.value)
					: null;
			const answer = scope && event.request.headers.get(PROOF_HEADER);
			// Null also for an answer that is wrong, expired or for another scope. The call then gets a new
			// puzzle if it needs one.
			const proof = scope && answer !== null ? await app.proofs.readAnswer(scope, answer) : NOTHING;
			if (!proof.ok) return httpError(proof.error.code);
			const given = { body, user, session, presentedKey: presentedKey.value, proof: proof.value };
			const result: Result<unknown, ApiError> | Response = await handle(
				event as EventOf<O>,
				given as HandlerInput<O>
			);
			if (result instanceof Response) return result;
			if (result.ok) return jsonResponse(result.value);
			const { error } = result;
			if (scope && error.code === 'proof_required') {
				const { status, code, message } = outcomeOf(error);
				// The API calls a puzzle a challenge.
				const challenge = await app.proofs.puzzle(scope);
				return apiError(status, code, message, null, { challenge });
			}
			return isOwnHttpError(error) ? httpError(error.code) : jsonOutcome(error);
		} catch (error) {
			// Thrown by `error(…)` in custom routes and in code shared with pages.
			if (isHttpError(error))
				return apiError(error.status, error.body.code ?? 'ERROR', error.body.message);
			return answerFault(event, error);
		}
	};
	return { [operation.method]: handler, fallback: onlyMethods(operation) } as Record<
		O['method'] | 'fallback',
		RequestHandler
	>;
};

/** The `fallback` of a route with these operations. `HEAD` is handled like `GET`. */
export const onlyMethods = (...operations: readonly Operation[]): RequestHandler => {
	const allowed = operations.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : method));
	return () => methodNotAllowed(allowed);
};

const NOTHING = ok(null);

/**
 * Refuses redirect targets that are not trusted, in the query and in the body. Validates the body, if
 * the operation has a schema. Unknown keys are ignored.
 */
const readInput = async (
	event: RequestEvent,
	{ body }: Operation
): Promise<Result<unknown, Response>> => {
	const { config, trustedOrigins } = event.locals.app;
	const refused = (values: Readonly<Record<string, unknown>>): Response | null =>
		refuseRedirects(values, config.origin, trustedOrigins);

	const badQuery = refused(Object.fromEntries(event.url.searchParams));
	if (badQuery !== null) return err(badQuery);
	if (body === undefined) return ok(null);
	const posted = await (body.isForm ? readApiForm : readJson)(event.request);
	if (!posted.ok) return posted;
	const parsed = body.schema.safeParse(posted.value);
	if (!parsed.success) return err(validationError(parsed.error.issues));
	const badField = refused(posted.value as Record<string, unknown>);
	return badField === null ? ok(parsed.data) : err(badField);
};

const validationError = (issues: readonly z.core.$ZodIssue[]): Response => {
	const texts = issues.map(({ path, message }) => `[${['body', ...path].join('.')}] ${message}`);
	return httpError('validation_error', texts.join('; ').slice(0, 500));
};
