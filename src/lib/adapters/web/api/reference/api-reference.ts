import {
	FORM_TYPE,
	METHODS,
	type JsonSchema,
	type OpenApiDocument,
	type OperationObject,
	type Parameter
} from '../openapi/types.ts';
import { answerOf, codesOf, errorsOf } from './answers.ts';
import { curlOf } from './curl-of.ts';
import { fieldsOf, typeOf } from './schema-words.ts';
import type {
	Field,
	ReferenceError,
	ReferenceLinks,
	ReferenceOperation
} from '#lib/view/reference.ts';

/** The OpenAPI document as its pages show it: references resolved, in order, as text. */
export interface ApiReference {
	readonly version: string;
	/** Applies to all calls. Its first paragraph introduces the reference. */
	readonly introduction: string;
	readonly conventions: string;
	readonly groups: readonly ReferenceGroup[];
	readonly errors: readonly ReferenceError[];
	readonly schemas: readonly ReferenceSchema[];
}

export interface ReferenceGroup {
	readonly id: string;
	readonly name: string;
	readonly description: string;
	readonly operations: readonly ReferenceOperation[];
}

export interface ReferenceSchema {
	readonly name: string;
	readonly description: string;
	readonly fields: readonly Field[];
}

type Method = (typeof METHODS)[number];

const made = new WeakMap<OpenApiDocument, ApiReference>();

/** Built once for each document. */
export const apiReference = (document: OpenApiDocument): ApiReference => {
	const reference = made.get(document) ?? makeReference(document);
	made.set(document, reference);
	return reference;
};

/** Links to all operations, which every page of the reference shows. */
export const referenceLinks = ({ groups }: ApiReference): readonly ReferenceLinks[] =>
	groups.map(({ id, name, description, operations }) => ({
		id,
		name,
		description,
		operations: operations.map(({ id, method, path, summary }) => ({ id, method, path, summary }))
	}));

const makeReference = (document: OpenApiDocument): ApiReference => {
	const { info, tags, components } = document;
	const [introduction = '', ...conventions] = info.description.split('\n\n');
	const operations = Object.entries(document.paths).flatMap(([path, item]) =>
		METHODS.flatMap((method) => {
			const operation = item[method];
			if (operation === undefined) return [];
			return [{ tags: operation.tags, shown: operationOf(document, method, path, operation) }];
		})
	);
	return {
		version: info.version,
		introduction,
		conventions: conventions.join('\n\n'),
		groups: tags.map(({ name, description }) => ({
			id: `group-${slug(name)}`,
			name,
			description,
			operations: operations.flatMap(({ tags, shown }) => (tags.includes(name) ? [shown] : []))
		})),
		errors: errorsOf(document),
		schemas: Object.entries(components.schemas).map(([name, schema]) => ({
			name,
			description: schema.description ?? '',
			fields: fieldsOf(schema)
		}))
	};
};

/** Depends only on method and path, so that links to a call stay valid when its wording changes. */
export const operationId = (method: string, path: string): string =>
	slug(`${method} ${path.replace(/^\/api(?:\/auth)?(?=\/)/, '')}`);

const operationOf = (
	document: OpenApiDocument,
	method: Method,
	path: string,
	operation: OperationObject
): ReferenceOperation => {
	const { summary, description, security, parameters, requestBody } = operation;
	const needsNone = security.length === 0 || security.some((way) => Object.keys(way).length === 0);
	return {
		id: operationId(method, path),
		method: method.toUpperCase(),
		path,
		summary,
		description,
		session: security.length === 0 ? 'unused' : needsNone ? 'optional' : 'required',
		params: parameters.filter((one) => one.in === 'path').map(parameterField),
		query: parameters.filter((one) => one.in === 'query').map(parameterField),
		headers: parameters.filter((one) => one.in === 'header').map(parameterField),
		body: fieldsOf(bodyOf(requestBody)),
		curl: curlOf(document, method, path),
		answer: answerOf(document, operation),
		errors: codesOf(document, operation).map(({ code }) => code)
	};
};

const bodyOf = (body: OperationObject['requestBody']): JsonSchema | undefined =>
	(body?.content['application/json'] ?? body?.content[FORM_TYPE])?.schema;

const parameterField = ({ name, schema, required, description }: Parameter): Field => ({
	name,
	type: typeOf(schema),
	required,
	description,
	limits: []
});

const slug = (text: string): string =>
	text
		.toLowerCase()
		.replace(/[^a-z0-9]+/g, '-')
		.replace(/^-|-$/g, '');
