import type { z } from 'zod';
import type { Config } from '#lib/config.server.ts';
import type { DomainError } from '#lib/domain/errors.ts';
import type { Result } from '#lib/domain/result.ts';
import type { Session } from '#lib/domain/sessions/session.ts';
import type { User } from '#lib/domain/account/user.ts';
import type { EdgeError } from '../errors/http-errors.ts';
import type { Tag } from './openapi/tags.ts';

/** Everything a call can be refused with: by the domain, or by the edge itself. */
export type ApiError = DomainError | EdgeError;
export type ApiErrorCode = ApiError['code'];

/** The part of the configuration that shows in the document. */
export type DocumentConfig = Pick<Config, 'origin' | 'secure' | 'entry' | 'siteName'>;

/**
 * One method of one route of the JSON API, described once: its endpoint is made from it, and so is
 * its part of the document. What follows from its shape, such as 415 where there is a body, is not
 * said here but in possible-errors.ts.
 */
export interface Operation {
	/** Its name in clients made from the document. */
	readonly id: string;
	readonly method: 'GET' | 'POST';
	/** The id of its route. */
	readonly path: `/api/${string}`;
	readonly tag: Tag;
	readonly summary: string;
	readonly description: string;
	readonly session: 'required' | 'optional' | 'unused';
	readonly query?: z.ZodObject;
	readonly body: Body | null;
	readonly answer: Answer;
	/** What can go wrong beyond what follows from its shape. */
	readonly errors: readonly ApiErrorCode[];
}

export interface Body<Schema extends z.ZodType = z.ZodType> {
	readonly schema: Schema;
	readonly example: unknown;
	/** What of it is documented, where that depends on the installation. */
	readonly told?: (config: DocumentConfig) => z.ZodType;
}

export interface Answer<Schema extends z.ZodType | null = z.ZodType | null> {
	readonly description: string;
	/** Null for a redirect, and for a page. */
	readonly schema: Schema;
	readonly example: unknown;
	/** Those that are there every time. */
	readonly headers: Readonly<Record<string, z.ZodType>>;
	/** HTML, for a person. */
	readonly isPage?: true;
}

export const takes = <Schema extends z.ZodType>(
	schema: Schema,
	example: z.input<Schema>,
	told?: Body['told']
): Body<Schema> => ({ schema, example, ...(told === undefined ? {} : { told }) });

export const gives = <Schema extends z.ZodType>(
	description: string,
	schema: Schema,
	example: z.output<Schema>,
	headers: Answer['headers'] = {}
): Answer<Schema> => ({ description, schema, example, headers });

export const redirects = (description: string, location: z.ZodType): Answer<null> => ({
	description,
	schema: null,
	example: null,
	headers: { Location: location }
});

export const shows = (description: string): Answer<null> => ({
	description,
	schema: null,
	example: null,
	headers: {},
	isPage: true
});

/** What a handler is given. */
export interface Given<O extends Operation> {
	readonly body: O['body'] extends Body<infer Schema> ? z.output<Schema> : null;
	readonly user: O['session'] extends 'required' ? User : User | null;
	readonly session: O['session'] extends 'required' ? Session : Session | null;
}

type Refusal<O extends Operation> =
	| Extract<ApiError, { readonly code: O['errors'][number] }>
	| (O['session'] extends 'required' ? { readonly code: 'unauthorized' } : never);

/** What a handler may answer: what is documented and nothing else. */
export type Reply<O extends Operation> =
	O['answer'] extends Answer<infer Schema extends z.ZodType>
		? Result<z.output<Schema>, Refusal<O>>
		: Response;
