import { STATUS_CODES } from 'node:http';
import { FastResponse } from 'srvx/node';

const texts = new WeakMap<object, string>();

/** Caches the JSON text of an immutable value. The value must never change, at any depth. */
export const keepText = <T extends object>(value: T): T => {
	texts.set(value, JSON.stringify(value));
	return value;
};

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
	new FastResponse(texts.get(value as object) ?? JSON.stringify(value), {
		status,
		statusText: STATUS_CODES[status] ?? '',
		headers: { ...headers, 'content-type': 'application/json' }
	});
