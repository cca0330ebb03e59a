import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';
import type { ResponseObject } from '#lib/adapters/web/api/openapi/types.ts';
import {
	apiDocument,
	documentedOperations,
	documentedPath,
	JSON_TYPE,
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

/** The errors of an undocumented path or method. */
const ELSEWHERE: Readonly<Record<number, RegExp>> = {
	// The refusal of a malformed path and the origin check come before any route.
	400: /"BAD_REQUEST"/,
	403: /"(?:INVALID_ORIGIN|MISSING_OR_NULL_ORIGIN)"/,
	401: /"UNAUTHORIZED"/,
	404: /"NOT_FOUND"/,
	405: /"METHOD_NOT_ALLOWED"/,
	429: /"TOO_MANY_REQUESTS"/,
	500: /"INTERNAL_ERROR"/,
	503: /"SERVICE_UNAVAILABLE"/
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
		([name, header]) => header.required && answered.headers[name.toLowerCase()] === undefined
	);
	if (missing.length > 0) return `it lacks ${missing.map(([name]) => name).join(', ')}`;
	return request.method === 'HEAD' ? null : wrongBody(expected, answered);
};

/** Answers outside the document, each for a reason. */
const isDeliberate = ({ method, path, headers }: Asked, { status, text }: Answered): boolean =>
	// A preflight precedes a call and is not one; no tool describes it.
	(method === 'OPTIONS' && 'access-control-request-method' in headers && status === 204) ||
	// The framework removes a trailing slash before our code runs. URLs drop a dot after it.
	(status === 308 && /\/(?:\.|%2e){0,2}(?:\?|$)/i.test(path) && text === '');

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

const ofOperation = (
	{ operation, path, method }: DocumentedOperation,
	{ status }: Answered
): Expected | null => {
	const found = operation.responses[status];
	if (found === undefined) return null;
	const { headers = {}, content } = found;
	const place = ['paths', path, method, 'responses', String(status), 'content'];
	return { headers, body: content ? [...place, Object.keys(content)[0] ?? '', 'schema'] : null };
};

const elsewhere = (
	{ path, method }: Asked,
	{ status, headers, text }: Answered
): Expected | null => {
	const exists = documentedPath(decoded(path) ?? '') !== null;
	if (status === (exists ? 404 : 405)) return null;
	if (status === 405 && headers.allow === undefined) return null;
	const known = ELSEWHERE[status];
	if (!known || (method !== 'HEAD' && !known.test(text))) return null;
	return { headers: {}, body: ['components', 'schemas', 'Error'] };
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
