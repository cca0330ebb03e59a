import { STATUS_CODES } from 'node:http';
import { FastResponse } from 'srvx/node';

const texts = new WeakMap<object, string>();

/** What is frozen, down to its last part, is answered again and again. */
const textOf = (value: unknown): string => {
	if (typeof value !== 'object' || value === null || !Object.isFrozen(value)) {
		return JSON.stringify(value);
	}
	const known = texts.get(value);
	if (known !== undefined) return known;
	const text = JSON.stringify(value);
	texts.set(value, text);
	return text;
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
	new FastResponse(textOf(value), {
		status,
		statusText: STATUS_CODES[status] ?? '',
		headers: { ...headers, 'content-type': 'application/json' }
	});
