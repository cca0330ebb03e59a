import { describe, expect, test } from 'vitest';
import { readJson } from '#lib/adapters/web/http/api-body.ts';

const read = async (
	body: BodyInit | null,
	type: string | null = 'application/json'
): Promise<unknown> => {
	const request = new Request('http://localhost/', {
		method: 'POST',
		body,
		duplex: 'half'
	} as RequestInit);
	request.headers.delete('content-type');
	if (type !== null) request.headers.set('content-type', type);
	const result = await readJson(request);
	return result.ok ? result.value : { status: result.error.status, ...(await result.error.json()) };
};

describe('a JSON body', () => {
	test.each([
		'application/json',
		'Application/JSON',
		'application/json; charset=utf-8',
		'application/json;charset="UTF-8"'
	])('%s is read', async (type) => expect(await read('{"a":1}', type)).toEqual({ a: 1 }));

	test.each([
		'text/plain',
		'application/x-www-form-urlencoded',
		'multipart/form-data; boundary=x',
		'application/json; charset=utf-7',
		'application/jsonp',
		'text/plain, application/json'
	])('F08: %s is 415 and never parsed', async (type) =>
		expect(await read('{"a":1}', type)).toEqual({
			status: 415,
			message: `Content-Type "${type}" is not allowed. Allowed types: application/json`,
			code: 'UNSUPPORTED_MEDIA_TYPE'
		})
	);

	test(
		'R01: a content type of blanks at the bound of headers is refused in linear time',
		{ timeout: 5_000 },
		async () => {
			const type = `application/json${' '.repeat(15_000)};x`;
			// They take milliseconds, and in quadratic time more than the limit.
			for (let times = 0; times < 20; times += 1) {
				expect(await read('{}', type)).toMatchObject({ status: 415 });
			}
		}
	);

	test('F08: a missing content type is 415 with its own message', async () => {
		expect(await read('{}', null)).toEqual({
			status: 415,
			message: 'Content-Type is required. Allowed types: application/json',
			code: 'UNSUPPORTED_MEDIA_TYPE'
		});
	});

	test('F08: of a content type, a refusal repeats 100 characters, and only printable ones', async () => {
		expect(await read('{}', `text/\u00e9${'x'.repeat(200)}`)).toMatchObject({
			message: expect.stringContaining(`"text/${'x'.repeat(94)}"`)
		});
	});

	test.each([null, '', '{', 'nul', '{"a":1', '\u0000'])('O01: %j is 400', async (body) => {
		expect(await read(body)).toEqual({
			status: 400,
			message: 'Invalid JSON in request body',
			code: 'BAD_REQUEST'
		});
	});

	test('O03: invalid UTF-8 is 400', async () => {
		expect(await read(new Uint8Array([0x22, 0xff, 0x22]))).toMatchObject({ status: 400 });
	});

	test('O01: one byte over 64 KiB is 413, declared or not', async () => {
		const text = (length: number): string => `"${'x'.repeat(length - 2)}"`;
		expect(await read(text(65_536))).toHaveLength(65_534);
		expect(await read(text(65_537))).toMatchObject({ status: 413, code: 'PAYLOAD_TOO_LARGE' });
		let isCancelled = false;
		const endless = new ReadableStream({
			pull: (controller) => controller.enqueue(new Uint8Array(16_384)),
			cancel: () => void (isCancelled = true)
		});
		expect(await read(endless)).toMatchObject({ status: 413 });
		// That would close the connection before the response is sent.
		expect(isCancelled).toBe(false);
	});

	test.each([
		[Object.assign(new Error('too large'), { status: 413 }), 413],
		[Object.assign(new Error('of another kind'), { status: 400 }), 400],
		[new Error('disconnected'), 400],
		[{ status: 413 }, 400]
	])('O01: a stream of the framework that fails with %j is %i', async (error, status) => {
		const failing = new ReadableStream({ start: (controller) => controller.error(error) });
		expect(await read(failing)).toMatchObject({ status });
	});

	test('R01: a body in more than 256 pieces is 413, however short it is', async () => {
		const inPieces = (text: string): ReadableStream => {
			const pieces = [...text].map((piece) => new TextEncoder().encode(piece));
			return new ReadableStream({
				pull: (controller) => {
					const piece = pieces.shift();
					if (piece === undefined) controller.close();
					else controller.enqueue(piece);
				}
			});
		};
		const text = (length: number): string => `"${'x'.repeat(length - 2)}"`;
		expect(await read(inPieces(text(256)))).toHaveLength(254);
		expect(await read(inPieces(text(257)))).toMatchObject({ status: 413 });
	});
});
