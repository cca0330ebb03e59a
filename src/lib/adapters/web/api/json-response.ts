import { STATUS_CODES } from 'node:http';
import { FastResponse } from 'srvx/node';

/**
 * A JSON response that keeps its text as a string until the body is read in another way. The server
 * can then write the string directly. A stream would take as long as all other work for the
 * response.
 */
export const jsonResponse = (
	value: unknown,
	{
		status = 200,
		headers = {}
	}: { readonly status?: number; readonly headers?: Readonly<Record<string, string>> } = {}
): Response =>
	new FastResponse(JSON.stringify(value), {
		status,
		statusText: STATUS_CODES[status] ?? '',
		headers: { ...headers, 'content-type': 'application/json' }
	});
