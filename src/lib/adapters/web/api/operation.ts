import type { EndpointRouteId } from '$app/types';
import { z } from 'zod';
import type { Config } from '#lib/config.server.ts';
import type { DomainError, Result } from '#lib/domain/errors.ts';
import type { SendProof } from '#lib/domain/proof/ports.ts';
import type { PresentedKey } from '#lib/domain/secret.ts';
import type { Session } from '#lib/domain/sessions/ports.ts';
import type { User } from '#lib/domain/user.ts';
import type { LimitName } from '../edge/limits/limits.ts';
import { AUTH_API, isUnder } from '../http/paths.ts';
import { UNMATCHED, type RouteFlags, type RouteRules } from '../edge/rules.ts';
import type { HttpError } from '../http/http-errors.ts';

export type ApiError = DomainError | HttpError;
export type ApiErrorCode = ApiError['code'];

export type DocumentConfig = Pick<Config, 'origin' | 'secure' | 'siteName'>;

/** The routes that operations can have: endpoints of the API, except those for all other paths. */
type OperationRoute = Exclude<Extract<EndpointRouteId, `/api/${string}`>, `${string}[...${string}`>;

/** A route has a flag if one of its operations has it. */
const OPERATION_FLAGS = ['skipsSessionCache', 'answersProxies', 'urlHoldsToken'] as const;

/**
 * Describes one method of one route of the JSON API. Both its endpoint and its part of the document
 * are built from this. What follows from its shape, such as 415 for an operation with a body, is
 * derived in openapi/errors.ts.
 */
export interface Operation extends Pick<RouteFlags, (typeof OPERATION_FLAGS)[number]> {
	readonly method: 'GET' | 'POST' | 'DELETE';
	readonly path: OperationRoute;
	readonly summary: string;
	readonly description: string;
	/** `unused`: the operation acts on no session, so a session cookie on its requests is irrelevant. */
	readonly session: 'required' | 'optional' | 'unused';
	/** The limit that counts its requests, if not `default`. `none`: no limit counts them. */
	readonly limit?: LimitName | 'none';
	/** It requests or enters a code without a session, so a program can send its key. */
	readonly takesProgramKey?: true;
	/** With `PROOF_OF_WORK`, an unknown client must send a proof of work. The body has an `email`. */
	readonly takesProof?: true;
	/** The parameters of its path and query, and its headers. The handler validates them. */
	readonly params?: z.ZodObject;
	readonly query?: z.ZodObject;
	readonly headers?: z.ZodObject;
	/** None: it has no body, and ignores one. */
	readonly body?: Body;
	readonly response: ResponseSpec;
	/** What it responds in some cases instead. */
	readonly redirect?: ResponseSpec;
	/** Errors beyond those that follow from its shape. */
	readonly errors?: readonly ApiErrorCode[];
}

/** A group of the document, with its operations by their names in generated clients. */
export interface OperationGroup {
	readonly description: string;
	readonly operations: Readonly<Record<string, Operation>>;
}

interface Body<Schema extends z.ZodType = z.ZodType> {
	readonly schema: Schema;
	readonly example: unknown;
	/** A form, as email apps send it. Other bodies are JSON. */
	readonly isForm?: true;
}

interface ResponseSpec {
	readonly description: string;
	/** None for a redirect, for a page and without a body. */
	readonly schema?: z.ZodType;
	readonly example?: unknown;
	/** Headers that are always present. */
	readonly headers?: Readonly<Record<string, z.ZodType>>;
	readonly isPage?: true;
}

/** The compiler compares the example of a body or a response with its schema. */
export const takes = <Schema extends z.ZodType>(
	schema: Schema,
	example: z.input<Schema>
): Body<Schema> => ({ schema, example });

type ResponseOf<Schema extends z.ZodType> = ResponseSpec & { readonly schema: Schema };

export const responds = <Schema extends z.ZodType>(
	description: string,
	schema: Schema,
	example: z.output<Schema>
): ResponseOf<Schema> => ({ description, schema, example });

export const respondsSuccess = (description: string): ResponseOf<z.ZodType<{ success: true }>> =>
	responds(description, z.object({ success: z.literal(true) }), { success: true });

export const respondsStatus = (description: string): ResponseOf<z.ZodType<{ status: true }>> =>
	responds(description, z.object({ status: z.literal(true) }), { status: true });

/** What a handler gets besides the event. */
export interface HandlerInput<O extends Operation> {
	readonly body: O extends { readonly body: Body<infer Schema> } ? z.output<Schema> : null;
	readonly user: O['session'] extends 'required' ? User : User | null;
	readonly session: O['session'] extends 'required' ? Session : Session | null;
	/** The key of the client, where the operation takes one. */
	readonly presentedKey: PresentedKey | null;
	/** The valid proof of work of the call, where the operation takes one. */
	readonly proof: SendProof | null;
}

type Refusal<O extends Operation> =
	| (O extends { readonly errors: readonly (infer Code)[] }
			? Extract<ApiError, { readonly code: Code }>
			: never)
	| (O['session'] extends 'required' ? { readonly code: 'unauthorized' } : never);

/** What a handler may return: only what is documented. */
export type HandlerResult<O extends Operation> = O['response'] extends {
	readonly schema: infer Schema extends z.ZodType;
}
	? Result<z.output<Schema>, Refusal<O>>
	: Response;

/**
 * The rules of a route with one or more operations. The guard lets unauthenticated callers pass if
 * any operation does; each endpoint checks its own. For everything else the strictest decides.
 */
export const rulesOfOperations = (routeId: string, all: readonly Operation[]): RouteRules => {
	const changes = all.filter(({ method }) => method !== 'GET');
	const isOpen = isUnder(AUTH_API, routeId) || all.some(({ session }) => session !== 'required');
	const limit = all.find(({ method }) => method === 'POST')?.limit ?? 'default';
	const isCounted =
		all.some((one) => one.limit !== 'none') && !all.some(({ answersProxies }) => answersProxies);
	return {
		...UNMATCHED,
		access: isOpen ? 'public' : 'session',
		counted: isCounted ? 'all' : 'none',
		bucket: routeId,
		looksUnknown: false,
		postLimits: limit === 'none' ? 'default' : limit,
		requiresOriginWithCookie:
			changes.length === 0 || changes.some(({ session }) => session !== 'unused'),
		...Object.fromEntries(OPERATION_FLAGS.map((flag) => [flag, all.some((one) => one[flag])]))
	};
};
