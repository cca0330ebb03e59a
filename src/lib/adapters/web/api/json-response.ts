import { STATUS_CODES } from 'node:http';
import { FastResponse } from 'srvx/node';

/**
 * A JSON response that keeps its text as a string. The server can then write the string directly.
 * A stream would take as long as all other work for the response, so the parent class creates one
 * only when the body is read.
 */
export class JsonResponse extends FastResponse {
	readonly content: string;

	constructor(content: string, init: ResponseInit) {
		super(content, init);
		this.content = content;
	}
}

/** Serialises a value as a response. */
export const jsonResponse = (
	value: unknown,
	{
		status = 200,
		headers = {}
	}: { readonly status?: number; readonly headers?: Readonly<Record<string, string>> } = {}
): Response =>
	new JsonResponse(JSON.stringify(value), {
		status,
		statusText: STATUS_CODES[status] ?? '',
		headers: { ...headers, 'content-type': 'application/json' }
	});
