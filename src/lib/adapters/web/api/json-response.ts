import { STATUS_CODES } from 'node:http';
import { FastResponse } from 'srvx/node';

const texts = new WeakMap<object, string>();

/** Has a value written once, however often it is answered. It must never change, down to its last part. */
export const keepText = <T extends object>(value: T): T => {
	texts.set(value, JSON.stringify(value));
	return value;
};

/**
 * An answer in JSON whose text stays one until somebody reads it as something else: the server
 * writes it as it is (scripts/api-fast-path.ts), where a stream would take as long as all the rest.
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
