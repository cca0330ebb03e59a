import {
	FORM_TYPE,
	type METHODS,
	type OpenApiDocument,
	type OperationObject
} from '../openapi/types.ts';
import { curlCommand } from './curl.ts';

/** The curl command for a call. */
export const curlOf = (
	{ servers, paths }: OpenApiDocument,
	method: (typeof METHODS)[number],
	path: string
): string => {
	const operation = paths[path]?.[method];
	if (operation === undefined) throw new Error(`the document has no ${method} ${path}`);
	const content = operation.requestBody?.content;
	return curlCommand({
		method: method.toUpperCase(),
		url: `${servers[0]?.url ?? ''}${examplePath(path, operation)}`,
		body: content?.['application/json']?.example,
		form: content?.[FORM_TYPE]?.example,
		bearer: operation.security.some((way) => 'bearer' in way)
	});
};

/** The path with an example in the place of each parameter. */
const examplePath = (path: string, { parameters }: OperationObject): string =>
	parameters
		.filter((one) => one.in === 'path')
		.reduce(
			(filled, { name, schema }) => filled.replace(`{${name}}`, String(schema.examples?.[0])),
			path
		);
