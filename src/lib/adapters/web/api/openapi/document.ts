import packageJson from '../../../../../../package.json' with { type: 'json' };
import { sessionCookie } from '../../http/cookie-names.ts';
import { refusalHeaders } from './refusal-headers.ts';
import { conventions, limitsInWords } from './conventions.ts';
import { errorResponses, type ErrorResponses } from './error-responses.ts';
import { schemaWriter } from './json-schemas.ts';
import {
	FORM_TYPE,
	type Content,
	type HeaderObject,
	type OpenApiDocument,
	type OperationObject,
	type PathItem,
	type ResponseObject
} from './types.ts';
import type { DocumentConfig, Operation } from '../operation.ts';
import { operations } from '../../operations.ts';
import { parametersOf } from './parameters.ts';
import { chargesOf, ELSEWHERE, possibleErrors } from './possible-errors.ts';
import { errorShape } from '../shapes.ts';
import { tags } from './tags.ts';

const made = new WeakMap<DocumentConfig, OpenApiDocument>();

/** Builds the OpenAPI document of the JSON API, once per configuration. */
export const openApiDocument = (config: DocumentConfig): OpenApiDocument => {
	const document = made.get(config) ?? makeDocument(config);
	made.set(config, document);
	return document;
};

interface Tools {
	readonly config: DocumentConfig;
	readonly write: ReturnType<typeof schemaWriter>;
	readonly errors: ErrorResponses;
}

const makeDocument = (config: DocumentConfig): OpenApiDocument => {
	const schemas = {};
	const write = schemaWriter(schemas);
	const errors = errorResponses(write(errorShape));
	errors.of(ELSEWHERE);
	const paths: Record<string, PathItem> = {};
	for (const operation of operations) {
		const path = documentPath(operation);
		paths[path] = {
			...paths[path],
			[operation.method.toLowerCase()]: operationObject(operation, { config, write, errors })
		};
	}
	return {
		openapi: '3.1.1',
		info: {
			title: `${config.siteName} API`,
			version: packageJson.version,
			description: conventions(config.siteName)
		},
		servers: [{ url: config.origin, description: 'This installation.' }],
		tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
		paths,
		components: {
			schemas,
			responses: errors.responses,
			examples: errors.examples,
			headers: refusalHeaders,
			securitySchemes: {
				bearer: {
					type: 'http',
					scheme: 'bearer',
					description: 'The `token` from the response to a sign-in.'
				},
				cookie: {
					type: 'apiKey',
					in: 'cookie',
					name: sessionCookie(config.secure),
					description: 'Set by a sign-in. Scripts cannot read it.'
				}
			}
		}
	};
};

/** `/api/unsubscribe/[token]` becomes `/api/unsubscribe/{token}`. */
const documentPath = ({ path }: Operation): string => path.replace(/\[(\w+)\]/g, '{$1}');

const SECURITY = {
	required: [{ bearer: [] }, { cookie: [] }],
	optional: [{}, { bearer: [] }, { cookie: [] }],
	unused: []
} as const;

const operationObject = (operation: Operation, tools: Tools): OperationObject => {
	const { id, tag, summary, description, session, answer } = operation;
	const limits = limitsInWords(chargesOf(operation).map(({ name }) => name));
	return {
		operationId: id,
		tags: [tag],
		summary,
		description: description + limits,
		security: SECURITY[session],
		parameters: parametersOf(operation, tools.write),
		...requestBody(operation, tools),
		responses: {
			[answer.schema === null && !answer.isPage ? '302' : '200']: response(operation, tools),
			...tools.errors.of(possibleErrors(operation))
		}
	};
};

const requestBody = (
	{ body }: Operation,
	{ config, write }: Tools
): Pick<OperationObject, 'requestBody'> => {
	if (body === null) return {};
	const schema = write(body.documentedSchema?.(config) ?? body.schema, 'input');
	const part = { schema, example: body.example };
	const content: Content = body.isForm
		? { [FORM_TYPE]: part, 'multipart/form-data': part }
		: { 'application/json': part };
	return { requestBody: { required: true, content } };
};

const response = ({ answer }: Operation, { write }: Tools): ResponseObject => {
	const { description, schema, example, isPage } = answer;
	if (isPage) return { description, content: { 'text/html': { schema: { type: 'string' } } } };
	const headers = Object.entries(answer.headers).map(([name, header]): [string, HeaderObject] => {
		const { description = '', ...schema } = write(header);
		return [name, { description, required: true, schema }];
	});
	return {
		description,
		...(headers.length === 0 ? {} : { headers: Object.fromEntries(headers) }),
		...(schema === null
			? {}
			: { content: { 'application/json': { schema: write(schema), example } } })
	};
};
