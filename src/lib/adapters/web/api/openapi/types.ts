import type { z } from 'zod';

// The part of OpenAPI 3.1 that this document uses.

export type JsonSchema = z.core.JSONSchema.BaseSchema;

/** The methods that a path can have, in the order of the document. */
export const METHODS = ['get', 'post', 'delete'] as const;
export type PathItem = Partial<Record<(typeof METHODS)[number], OperationObject>>;

export interface OperationObject {
	readonly operationId: string;
	readonly tags: readonly string[];
	readonly summary: string;
	readonly description: string;
	/** Any one of these is sufficient. An empty object means that no credential is needed. */
	readonly security: readonly Readonly<Record<string, readonly string[]>>[];
	readonly parameters: readonly Parameter[];
	readonly requestBody?: { readonly required: true; readonly content: Content };
	readonly responses: Readonly<Record<string, ResponseObject>>;
}

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
