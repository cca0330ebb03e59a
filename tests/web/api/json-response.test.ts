import { expect, test } from 'vitest';
import { jsonResponse } from '#lib/adapters/web/http/responses.ts';

const VALUE = { message: 'Zoë 李 👩‍🚀', list: [1, null, true] };
const TEXT = JSON.stringify(VALUE);

test('a JSON response behaves like one of the platform', async () => {
	const response = jsonResponse(VALUE, { status: 418, headers: { 'x-mine': 'yes' } });
	expect(response).toBeInstanceOf(Response);
	expect([response.status, response.ok, response.bodyUsed]).toEqual([418, false, false]);
	expect(response.statusText).toBe("I'm a Teapot");
	expect([...response.headers]).toEqual([
		['content-type', 'application/json'],
		['x-mine', 'yes']
	]);
	response.headers.set('x-mine', 'changed');
	expect(response.headers.get('x-mine')).toBe('changed');
	expect(await response.json()).toEqual(VALUE);
});

test('the body stream of a JSON response is read once and whole', async () => {
	const response = jsonResponse(VALUE);
	expect(await new Response(response.body).text()).toBe(TEXT);
	expect(response.bodyUsed).toBe(true);
	await expect(response.text()).rejects.toThrow(TypeError);
});

test('a copy of a JSON response has its status and headers, and a body of its own', async () => {
	const response = jsonResponse(VALUE, { status: 409, headers: { 'retry-after': '3' } });
	const copy = response.clone();
	expect([copy.status, copy.headers.get('retry-after')]).toEqual([409, '3']);
	expect(await response.text()).toBe(TEXT);
	expect([copy.bodyUsed, await copy.text()]).toEqual([false, TEXT]);
});

test('a JSON response has the value at the time of the call', async () => {
	const value = Object.freeze({ inner: { name: 'Zoë' } });
	const read = async (value: unknown): Promise<string> => await jsonResponse(value).text();
	expect(await read(value)).toBe('{"inner":{"name":"Zoë"}}');
	value.inner.name = 'Ada';
	expect(await read(value)).toBe('{"inner":{"name":"Ada"}}');
	expect(await Promise.all([null, 'text', 7].map(read))).toEqual(['null', '"text"', '7']);
});
