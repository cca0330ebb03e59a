import { STATUS_CODES } from 'node:http';
import { TextResponse } from './text-response.ts';

/** Serialises a value as a response. */
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
