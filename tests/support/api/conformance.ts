import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';
import type { HeaderObject, ResponseObject } from '#lib/adapters/web/api/openapi/types.ts';
import {
	apiDocument,
	documentedOperations,
	JSON_TYPE,
	responseOf,
	saysOf,
	validatorAt,
	type DocumentedOperation
} from './document.ts';

/** For people; what it holds is none of the document's business. */
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
	/** Where the schema of its body stands; null where it has none. */
	readonly body: readonly string[] | null;
}

/** What a path or method that is not documented is answered with. */
const ELSEWHERE: Readonly<Record<number, string>> = {
	401: 'Unauthorized',
	404: 'NotFound',
	405: 'MethodNotAllowed',
	429: 'TooManyRequests',
	500: 'InternalError',
	503: 'ServiceUnavailable'
};

/**
 * What is wrong with an answer of the JSON API by the document; null when nothing is, or when it is
 * none of its answers. Every answer that any test gets is held against it.
 */
export const complaintAbout = (asked: Asked, answered: Answered): string | null => {
	if (!/^\/api(?:[/?]|$)/.test(asked.path)) return null;
	const said = wrongWith(asked, answered);
	if (said === null) return null;
	const { status, text } = answered;
	return `${asked.method} ${asked.path} was answered ${status} ${text.slice(0, 300)}\nby the document: ${said}`;
};

const wrongWith = (asked: Asked, answered: Answered): string | null => {
	if (isDeliberate(asked, answered)) return null;
	const operation = operationOf(asked);
	const expected =
		operation === null ? elsewhere(asked, answered) : ofOperation(operation, answered);
	if (expected === null) return 'there is no such answer';
	const missing = Object.entries(expected.headers).filter(
		([name, header]) =>
			resolved(header).required && answered.headers[name.toLowerCase()] === undefined
	);
	if (missing.length > 0) return `it lacks ${missing.map(([name]) => name).join(', ')}`;
	return asked.method === 'HEAD' ? null : wrongBody(expected, answered);
};

/** Answers that are no part of the document, each for a reason. */
const isDeliberate = ({ method, path, headers }: Asked, { status, text }: Answered): boolean =>
	// A preflight asks about a call, it is none; no tool describes them.
	(method === 'OPTIONS' && 'access-control-request-method' in headers && status === 204) ||
	// The framework takes a trailing slash off before anything of ours is asked.
	(status === 308 && /\/(?:\?|$)/.test(path) && text === '');

const operationOf = ({ method, path }: Asked): DocumentedOperation | null => {
	const place = decoded(path);
	const verb = method === 'HEAD' ? 'GET' : method;
	return (
		documentedOperations.find((one) => one.path === place && one.method.toUpperCase() === verb) ??
		null
	);
};

/** The path as it is matched; what cannot be decoded matches nothing. */
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
	// The gate for origins and the refusal of a malformed path come before any route.
	if (status === 403 || status === 400) {
		const known = status === 403 ? /"(?:INVALID_ORIGIN|MISSING_OR_NULL_ORIGIN)"/ : /"BAD_REQUEST"/;
		if (method !== 'HEAD' && !known.test(text)) return null;
		return { headers: {}, body: ['components', 'schemas', 'Error'] };
	}
	const exists = Object.hasOwn(apiDocument.paths, decoded(path) ?? '');
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
