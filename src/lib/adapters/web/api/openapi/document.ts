import { z } from 'zod';
import packageJson from '../../../../../../package.json' with { type: 'json' };
import { PROGRAM_KEY } from '#lib/domain/secret.ts';
import { MULTIPART, URLENCODED } from '../../http/form-body.ts';
import { nameInHeader } from '../../http/own-cookies.ts';
import type { DocumentConfig, Operation, OperationGroup } from '../operation.ts';
import { errorShape } from './error-schema.ts';
import { errorResponses, possibleErrors } from './errors.ts';
import { conventions, limitInWords } from './conventions.ts';
import {
	type METHODS,
	type Content,
	type HeaderObject,
	type ResponseObject,
	type Parameter,
	type JsonSchema
} from './types.ts';

type PathItem = Partial<Record<(typeof METHODS)[number], OperationObject>>;
export type OpenApiDocument = ReturnType<typeof makeDocument>;

type Groups = Readonly<Record<string, OperationGroup>>;

export const operationsIn = (groups: Groups): readonly Operation[] =>
	Object.values(groups).flatMap(({ operations }) => Object.values(operations));

const made = new WeakMap<DocumentConfig, OpenApiDocument>();

/** Builds the OpenAPI document of these operations, once per configuration. */
export const documentOf = (groups: Groups, config: DocumentConfig): OpenApiDocument => {
	const document = made.get(config) ?? makeDocument(groups, config);
	made.set(config, document);
	return document;
};

type Write = ReturnType<typeof schemaWriter>;

const makeDocument = (groups: Groups, config: DocumentConfig) => {
	const schemas: Record<string, JsonSchema> = {};
	const write = schemaWriter(schemas);
	write(errorShape);
	const paths: Record<string, PathItem> = {};
	for (const [tag, { operations }] of Object.entries(groups)) {
		for (const [operationId, operation] of Object.entries(operations)) {
			// `/api/unsubscribe/[token]` becomes `/api/unsubscribe/{token}`.
			const path = operation.path.replace(/\[(\w+)\]/g, '{$1}');
			const method = operation.method.toLowerCase();
			const described = { operationId, tags: [tag], ...operationObject(operation, write) };
			paths[path] = { ...paths[path], [method]: described };
		}
	}
	return {
		openapi: '3.1.1' as const,
		info: {
			title: `${config.siteName} API`,
			version: packageJson.version,
			description: conventions(config.siteName)
		},
		servers: [{ url: config.origin, description: 'This installation.' }],
		tags: Object.entries(groups).map(([name, { description }]) => ({ name, description })),
		paths,
		components: {
			schemas,
			securitySchemes: {
				bearer: {
					type: 'http',
					scheme: 'bearer',
					description: 'The `token` from the response to a sign-in.'
				},
				cookie: {
					type: 'apiKey',
					in: 'cookie',
					name: nameInHeader('sessionToken', config.secure),
					description: 'Set by a sign-in. Scripts cannot read it.'
				}
			}
		}
	};
};

/** Any one of these is sufficient. An empty object means that no credential is needed. */
const SECURITY: Readonly<
	Record<Operation['session'], readonly Readonly<Record<string, readonly string[]>>[]>
> = {
	required: [{ bearer: [] }, { cookie: [] }],
	optional: [{}, { bearer: [] }, { cookie: [] }],
	unused: []
};

/** One call, with what its group adds. */
export type OperationObject = ReturnType<typeof operationObject> & {
	readonly operationId: string;
	readonly tags: readonly string[];
};

const operationObject = (operation: Operation, write: Write) => {
	const { summary, description, session, limit, response, redirect } = operation;
	const status = response.headers && 'Location' in response.headers ? '302' : '200';
	const responses: Readonly<Record<string, ResponseObject>> = {
		[status]: responseObject(response, write),
		...(redirect === undefined ? {} : { '302': responseObject(redirect, write) }),
		...errorResponses(possibleErrors(operation))
	};
	return {
		summary,
		description: description + limitInWords(limit),
		security: operation.answersProxies ? [{ cookie: [] }] : SECURITY[session],
		parameters: parametersOf(operation, write),
		...requestBody(operation, write),
		responses
	};
};

const requestBody = (
	{ body }: Operation,
	write: Write
): { readonly requestBody?: { readonly required: true; readonly content: Content } } => {
	if (body === undefined) return {};
	const schema = write(body.schema, 'input');
	const part = { schema, example: body.example };
	const content: Content = body.isForm
		? { [URLENCODED]: part, [MULTIPART]: part }
		: { 'application/json': part };
	return { requestBody: { required: true, content } };
};

const responseObject = (response: Operation['response'], write: Write): ResponseObject => {
	const { description, schema, example, isPage } = response;
	if (isPage) return { description, content: { 'text/html': { schema: { type: 'string' } } } };
	const headers = Object.entries(response.headers ?? {}).map(
		([name, header]): [string, HeaderObject] => {
			const { description = '', ...schema } = write(header);
			return [name, { description, required: true, schema }];
		}
	);
	return {
		description,
		...(headers.length === 0 ? {} : { headers: Object.fromEntries(headers) }),
		...(schema === undefined
			? {}
			: { content: { 'application/json': { schema: write(schema), example } } })
	};
};

const parametersOf = (
	{ params, query, headers, takesProgramKey, takesProof }: Operation,
	write: Write
): readonly Parameter[] => {
	const fieldsIn = (place: Parameter['in'], fields: Operation['query']): Parameter[] =>
		Object.entries(fields?.shape ?? {}).map(([name, field]) => {
			const { description = '', ...schema } = write(field, 'input');
			return { name, in: place, description, required: !field.isOptional(), schema };
		});
	return [
		...fieldsIn('path', params),
		...fieldsIn('query', query),
		...fieldsIn('header', headers),
		...(takesProgramKey ? fieldsIn('header', programKeyHeader) : []),
		...(takesProof ? fieldsIn('header', proofHeader) : [])
	];
};

const programKeyHeader = z.object({
	'X-Postern-Client': z
		.string()
		.regex(PROGRAM_KEY)
		.optional()
		.describe('The client key of the app, see **Client keys**.')
});

const proofHeader = z.object({
	'X-Postern-Proof': z
		.string()
		.max(2048)
		.optional()
		.describe(
			'Only where the operator switched `PROOF_OF_WORK` on: the answer to a challenge from CHALLENGE_REQUIRED, the base64 of the JSON `{"challenge":…,"solution":{"counter":…,"derivedKey":"…"}}`, with the challenge as it was received and the derived key in hex. The answer is valid once, for 5 minutes, and only for the same email address and client. If it is wrong or no longer valid, the call gets a new challenge.'
		)
});

/**
 * Converts the schemas of endpoints to JSON Schema. A schema with an id is collected in `named` and
 * becomes a reference wherever it is used.
 */
const schemaWriter =
	(named: Record<string, JsonSchema>) =>
	(schema: z.ZodType, io: 'input' | 'output' = 'output'): JsonSchema => {
		const { $schema: _, $defs = {}, ...written } = z.toJSONSchema(schema, { io });
		for (const [id, definition] of Object.entries($defs)) named[id] = inComponents(definition);
		return inComponents(written);
	};

/** In the document the place of a schema names it, so the id is removed. */
const inComponents = (value: unknown): JsonSchema =>
	JSON.parse(
		JSON.stringify(value, (key, inner: unknown) =>
			key === '$ref' ? String(inner).replace('#/$defs/', '#/components/schemas/') : inner
		)
	) as JsonSchema;
