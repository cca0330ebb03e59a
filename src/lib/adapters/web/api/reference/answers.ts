import {
	METHODS,
	type Content,
	type Example,
	type HeaderObject,
	type OpenApiDocument,
	type OperationObject,
	type Reference,
	type ResponseObject
} from '../openapi/types.ts';
import { errorMeanings } from './error-meanings.ts';
import { fieldsOf, typeOf } from './schema-words.ts';
import type { Field, ReferenceAnswer, ReferenceError } from '#lib/view/reference.ts';

export const answerOf = (
	document: OpenApiDocument,
	{ responses }: OperationObject
): ReferenceAnswer => {
	const [status, found] = Object.entries(responses).find(([status]) => isSuccess(status)) ?? [];
	if (status === undefined || found === undefined) throw new Error('a call without an answer');
	const { description, headers = {}, content } = responseOf(document, found);
	return {
		status,
		description,
		headers: Object.entries(headers).map(([name, header]) => headerField(document, name, header)),
		body: content === undefined ? null : bodyOf(content)
	};
};

/** The error codes of a call, ordered by status. */
export const codesOf = (
	document: OpenApiDocument,
	{ responses }: Pick<OperationObject, 'responses'>
): readonly Pick<ReferenceError, 'status' | 'code'>[] =>
	Object.entries(responses)
		.filter(([status]) => !isSuccess(status))
		.flatMap(([status, response]) =>
			Object.keys(examplesOf(document, response)).map((code) => ({ status, code }))
		);

/** Every error of the document once, with its meaning. */
export const errorsOf = (document: OpenApiDocument): readonly ReferenceError[] => {
	const operations = Object.values(document.paths).flatMap((item) =>
		METHODS.flatMap((method) => item[method] ?? [])
	);
	// Errors that belong to no call exist only among the shared responses.
	const elsewhere = { responses: Object.fromEntries(sharedWithoutCall(document)) };
	const codes = [...operations, elsewhere].flatMap((operation) => codesOf(document, operation));
	const unique = new Map(codes.map((error) => [error.code, error]));
	return [...unique.values()]
		.map(({ status, code }) => {
			const { message } = messageOf(document, code);
			const { text = message, general = false } = errorMeanings[code] ?? {};
			return { status, code, message, meaning: text, general };
		})
		.sort((a, b) => Number(a.status) - Number(b.status));
};

const STATUS_ELSEWHERE: Readonly<Record<string, string>> = {
	NOT_FOUND: '404',
	METHOD_NOT_ALLOWED: '405'
};

const sharedWithoutCall = (document: OpenApiDocument): readonly [string, ResponseObject][] =>
	Object.values(document.components.responses).flatMap((response): [string, ResponseObject][] =>
		Object.keys(examplesOf(document, response)).flatMap((code): [string, ResponseObject][] => {
			const status = STATUS_ELSEWHERE[code];
			return status === undefined ? [] : [[status, response]];
		})
	);

const isSuccess = (status: string): boolean => status.startsWith('2') || status.startsWith('3');

const responseOf = (
	{ components }: OpenApiDocument,
	response: ResponseObject | Reference
): ResponseObject => {
	if (!('$ref' in response)) return response;
	const found = components.responses[nameIn(response)];
	if (found === undefined) throw new Error(`the document has no ${response.$ref}`);
	return found;
};

const examplesOf = (
	document: OpenApiDocument,
	response: ResponseObject | Reference
): NonNullable<NonNullable<Content['application/json']>['examples']> =>
	responseOf(document, response).content?.['application/json']?.examples ?? {};

const messageOf = ({ components }: OpenApiDocument, code: string): { readonly message: string } => {
	const { value } = components.examples[code] ?? ({ value: {} } satisfies Example);
	return { message: '', ...(value as object) };
};

const headerField = (
	{ components }: OpenApiDocument,
	name: string,
	header: HeaderObject | Reference
): Field => {
	const found = '$ref' in header ? components.headers[nameIn(header)] : header;
	const { schema = {}, required = false, description = '' } = found ?? {};
	return { name, type: typeOf(schema), required, description, limits: [] };
};

const nameIn = ({ $ref }: Reference): string => $ref.slice($ref.lastIndexOf('/') + 1);

const bodyOf = ({ 'application/json': json }: Content): ReferenceAnswer['body'] =>
	json === undefined
		? null
		: {
				type: typeOf(json.schema),
				fields: fieldsOf(json.schema),
				example: JSON.stringify(json.example, null, 2)
			};
