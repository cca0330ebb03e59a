import { expect, test } from 'vitest';
import { jsonResponse } from '#lib/adapters/web/json-response.ts';

const VALUE = { message: 'Zoë 李 👩‍🚀', list: [1, null, true] };
const TEXT = JSON.stringify(VALUE);
const answer = (): Response => jsonResponse(VALUE);

test('it is a response in JSON like any other', async () => {
	const response = jsonResponse(VALUE, { status: 418, headers: { 'x-mine': 'yes' } });
	expect(response).toBeInstanceOf(Response);
	expect([response.status, response.ok, response.bodyUsed]).toEqual([418, false, false]);
	expect([...response.headers]).toEqual([
		['content-type', 'application/json'],
		['x-mine', 'yes']
	]);
	response.headers.set('x-mine', 'changed');
	expect(response.headers.get('x-mine')).toBe('changed');
	expect(await response.json()).toEqual(VALUE);
});

test.each<readonly [string, (response: Response) => Promise<string>]>([
	['text', (response) => response.text()],
	['json', async (response) => JSON.stringify(await response.json())],
	['bytes', async (response) => new TextDecoder().decode(await response.bytes())],
	['arrayBuffer', async (response) => new TextDecoder().decode(await response.arrayBuffer())],
	['blob', async (response) => (await response.blob()).text()],
	['clone', (response) => response.clone().text()],
	['tee', (response) => new Response(response.body?.tee()[1]).text()],
	[
		'pipeThrough',
		(response) => new Response(response.body?.pipeThrough(new TransformStream())).text()
	],
	[
		'pipeTo',
		async (response) => {
			const { readable, writable } = new TransformStream<Uint8Array, Uint8Array<ArrayBuffer>>();
			const [text] = await Promise.all([
				new Response(readable).text(),
				response.body?.pipeTo(writable)
			]);
			return text;
		}
	],
	[
		'getReader',
		async (response) => {
			const reader = response.body?.getReader();
			const [first, last] = [await reader?.read(), await reader?.read()];
			expect(last).toEqual({ done: true, value: undefined });
			return new TextDecoder().decode(first?.value);
		}
	],
	[
		'for await',
		async (response) => {
			let text = '';
			for await (const piece of response.body ?? []) text += new TextDecoder().decode(piece);
			return text;
		}
	]
])('%s gives the whole text, once', async (way, read) => {
	const response = answer();
	expect(await read(response)).toBe(TEXT);
	if (way === 'clone') return;
	expect(response.bodyUsed).toBe(true);
	expect(() => response.body?.getReader()).toThrow(TypeError);
	expect(() => response.text()).toThrow(TypeError);
});

test('a copy has status and headers, and is read apart', async () => {
	const response = jsonResponse(VALUE, { status: 409, headers: { 'retry-after': '3' } });
	const copy = response.clone();
	expect([copy.status, copy.headers.get('retry-after')]).toEqual([409, '3']);
	expect(await response.text()).toBe(TEXT);
	expect([copy.bodyUsed, await copy.text()]).toEqual([false, TEXT]);
});

test('what is cancelled is not read any more', async () => {
	const response = answer();
	await response.body?.cancel();
	expect(response.bodyUsed).toBe(true);
	const reader = answer().body?.getReader();
	await expect(reader?.cancel()).resolves.toBeUndefined();
});
