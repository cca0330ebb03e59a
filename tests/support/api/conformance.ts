import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';
import type { HeaderObject, ResponseObject } from '#lib/adapters/web/api/openapi/types.ts';
import {
	apiDocument,
	documentedOperations,
	documentedPath,
	JSON_TYPE,
	responseOf,
	saysOf,
	validatorAt,
	type DocumentedOperation
} from './document.ts';

/** For people; the document does not describe what it contains. */
const PAGE_TYPE = 'text/html';

interface Asked {
	readonly method: string;
	readonly path: string;
	readonly headers: OutgoingHttpHeaders;
}

interface Answered {
	readonly status: number;
	readonly headers: IncomingHttpHeaders;
	readonly text: string;
}

interface Expected {
	readonly headers: NonNullable<ResponseObject['headers']>;
	/** The place of the schema of its body; null where there is none. */
	readonly body: readonly string[] | null;
}

/** The answer to an undocumented path or method. */
const ELSEWHERE: Readonly<Record<number, string>> = {
	401: 'Unauthorized',
	404: 'NotFound',
	405: 'MethodNotAllowed',
	429: 'TooManyRequests',
	500: 'InternalError',
	503: 'ServiceUnavailable'
};

/** Webhooks that mail providers call. The document is for applications. */
const FOR_PROVIDERS = /^\/api\/hooks\//;

/**
 * Why an answer of the JSON API does not match the document; null if it matches or is not one of
 * its answers. Every answer in any test is checked.
 */
export const complaintAbout = (request: Asked, answered: Answered): string | null => {
	if (!/^\/api(?:[/?]|$)/.test(request.path) || FOR_PROVIDERS.test(decoded(request.path) ?? '')) {
		return null;
	}
	const complaint = wrongWith(request, answered);
	if (complaint === null) return null;
	const { status, text } = answered;
	return `${request.method} ${request.path} was answered ${status} ${text.slice(0, 300)}\nby the document: ${complaint}`;
};

const wrongWith = (request: Asked, answered: Answered): string | null => {
	if (isDeliberate(request, answered)) return null;
	const operation = operationOf(request);
	const expected =
		operation === null ? elsewhere(request, answered) : ofOperation(operation, answered);
	if (expected === null) return 'there is no such answer';
	const missing = Object.entries(expected.headers).filter(
		([name, header]) =>
			resolved(header).required && answered.headers[name.toLowerCase()] === undefined
	);
	if (missing.length > 0) return `it lacks ${missing.map(([name]) => name).join(', ')}`;
	return request.method === 'HEAD' ? null : wrongBody(expected, answered);
};

/** Answers outside the document, each for a reason. */
const isDeliberate = ({ method, path, headers }: Asked, { status, text }: Answered): boolean =>
	// A preflight precedes a call and is not one; no tool describes it.
	(method === 'OPTIONS' && 'access-control-request-method' in headers && status === 204) ||
	// The framework removes a trailing slash before our code runs.
	(status === 308 && /\/(?:\?|$)/.test(path) && text === '');

const operationOf = ({ method, path }: Asked): DocumentedOperation | null => {
	const place = documentedPath(decoded(path) ?? '');
	const verb = method === 'HEAD' ? 'GET' : method;
	return (
		documentedOperations.find((one) => one.path === place && one.method.toUpperCase() === verb) ??
		null
	);
};

/** The path as it is matched; an undecodable one matches nothing. */
const decoded = (path: string): string | null => {
	try {
		return decodeURI(new URL(path, apiDocument.servers[0]?.url).pathname);
	} catch {
		return null;
	}
};

const ofOperation = (operation: DocumentedOperation, { status }: Answered): Expected | null => {
	const found = responseOf(operation, status);
	return found && expectedOf(found.response, found.place);
};

const expectedOf = (
	{ headers = {}, content }: ResponseObject,
	place: readonly string[]
): Expected => ({
	headers,
	body:
		content === undefined ? null : [...place, 'content', Object.keys(content)[0] ?? '', 'schema']
});

const elsewhere = ({ path, method }: Asked, { status, text }: Answered): Expected | null => {
	// The origin check, and the refusal of a malformed path, come before any route.
	if (status === 403 || status === 400) {
		const known = status === 403 ? /"(?:INVALID_ORIGIN|MISSING_OR_NULL_ORIGIN)"/ : /"BAD_REQUEST"/;
		if (method !== 'HEAD' && !known.test(text)) return null;
		return { headers: {}, body: ['components', 'schemas', 'Error'] };
	}
	const exists = documentedPath(decoded(path) ?? '') !== null;
	if (status === (exists ? 404 : 405)) return null;
	const name = ELSEWHERE[status] ?? '';
	const response = apiDocument.components.responses[name];
	return response ? expectedOf(response, ['components', 'responses', name]) : null;
};

const resolved = (header: HeaderObject | { readonly $ref: string }): HeaderObject => {
	if (!('$ref' in header)) return header;
	const found = apiDocument.components.headers[header.$ref.split('/').at(-1) ?? ''];
	if (found === undefined) throw new Error(`${header.$ref} leads nowhere`);
	return found;
};

const wrongBody = ({ body }: Expected, { headers, text }: Answered): string | null => {
	if (body === null) return text === '' ? null : 'it has no body';
	if (body.includes(PAGE_TYPE)) {
		return headers['content-type'] === `${PAGE_TYPE}; charset=utf-8` ? null : 'it is no page';
	}
	if (headers['content-type'] !== JSON_TYPE) return `it is ${headers['content-type']}, not JSON`;
	const validate = validatorAt(...body);
	return validate(JSON.parse(text)) ? null : saysOf(validate);
};
