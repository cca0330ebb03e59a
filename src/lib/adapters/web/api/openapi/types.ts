import type { z } from 'zod';

// The part of OpenAPI 3.1 that this document uses.

export type JsonSchema = z.core.JSONSchema.BaseSchema;

/** The methods that a path can have, in the order of the document. */
export const METHODS = ['get', 'post', 'delete'] as const;

export interface Parameter extends HeaderObject {
	readonly name: string;
	readonly in: 'path' | 'query' | 'header';
}

export interface ResponseObject {
	readonly description: string;
	readonly headers?: Readonly<Record<string, HeaderObject>>;
	readonly content?: Content;
}

/** Bodies are JSON, except forms of email apps. Only pages for people are HTML. */
export type Content = Readonly<
	Record<string, { readonly schema: JsonSchema; readonly example?: unknown }>
>;

export interface HeaderObject {
	readonly description: string;
	readonly required: boolean;
	readonly schema: JsonSchema;
}
