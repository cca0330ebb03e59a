import { FastResponse } from 'srvx/node';
import { STATUS_CODES } from 'node:http';

/**
 * A response that keeps its text as a string. The server can then write the string directly. A
 * stream would take longer than all other work for a short response, so the parent class creates
 * one only when the body is read.
 */
export class TextResponse extends FastResponse {
	readonly content: string;

	constructor(content: string, init: ResponseInit) {
		super(content, init);
		this.content = content;
	}
}

export const jsonResponse = (
	value: unknown,
	{
		status = 200,
		headers = {}
	}: { readonly status?: number; readonly headers?: Readonly<Record<string, string>> } = {}
): Response =>
	new TextResponse(JSON.stringify(value), {
		status,
		statusText: STATUS_CODES[status] ?? '',
		headers: { ...headers, 'content-type': 'application/json' }
	});
