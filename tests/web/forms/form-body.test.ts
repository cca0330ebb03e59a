import { describe, expect, test } from 'vitest';
import { MAX_FORM_BYTES, MAX_FORM_FIELDS, readForm } from '#lib/adapters/web/forms/form-body.ts';
import {
	BOUNDARY,
	MULTIPART,
	pathologicalForms,
	URLENCODED
} from '../../support/http/worst-forms.ts';

const post = (body: BodyInit, type = URLENCODED, headers: Record<string, string> = {}): Request =>
	new Request('http://localhost/', {
		method: 'POST',
		body,
		headers: { 'content-type': type, ...headers },
		...(body instanceof ReadableStream ? { duplex: 'half' } : {})
	} as RequestInit);

const kindOf = async (request: Request): Promise<string> => (await readForm(request)).kind;
const pairs = (count: number): string =>
	Array.from({ length: count }, (_, number) => `k${number}=v`).join('&');
const parts = (count: number): string => {
	const part = (name: number): string =>
		`--${BOUNDARY}\r\ncontent-disposition: form-data; name="k${name}"\r\n\r\nv\r\n`;
	return `${Array.from({ length: count }, (_, number) => part(number)).join('')}--${BOUNDARY}--\r\n`;
};

/** The best of several runs, in milliseconds of processor time, which other processes do not use up. */
const leastTime = async (
	make: () => Request,
	work: (request: Request) => Promise<unknown>
): Promise<number> => {
	const took: number[] = [];
	for (let round = 0; round < 7; round += 1) {
		const request = make();
		const began = process.cpuUsage();
		await work(request);
		const { user, system } = process.cpuUsage(began);
		took.push((user + system) / 1000);
	}
	return Math.min(...took);
};

describe('the body of a form', () => {
	test.each([
		[URLENCODED, pairs],
		[MULTIPART, parts]
	])('of type %s may have 100 fields and no more', async (type, of) => {
		const read = await readForm(post(of(MAX_FORM_FIELDS), type));
		if (read.kind !== 'read') throw new Error(read.kind);
		expect([...read.fields.keys()]).toHaveLength(MAX_FORM_FIELDS);
		expect(read.fields.get('k99')).toBe('v');
		expect(new TextDecoder().decode(read.bytes)).toBe(of(MAX_FORM_FIELDS));
		expect(await kindOf(post(of(MAX_FORM_FIELDS + 1), type))).toBe('too_large');
	});

	test('counts pairs only: separators without a pair between them are not fields', async () => {
		expect(await kindOf(post(`&&${pairs(100)}&&&`))).toBe('read');
		expect(await kindOf(post('&'.repeat(MAX_FORM_BYTES)))).toBe('read');
	});

	test('may have 64 KiB and no more', async () => {
		const of = (bytes: number): string => `a=${'x'.repeat(bytes - 2)}`;
		expect(await kindOf(post(of(MAX_FORM_BYTES)))).toBe('read');
		expect(await kindOf(post(of(MAX_FORM_BYTES + 1)))).toBe('too_large');
	});

	test('is not read at all when its declared length is over the bound', async () => {
		let pulled = 0;
		const endless = new ReadableStream<Uint8Array>(
			{
				pull: (controller) => {
					pulled += 1;
					controller.enqueue(new Uint8Array(1024));
				}
			},
			{ highWaterMark: 0 }
		);
		const declared = { 'content-length': String(MAX_FORM_BYTES + 1) };
		expect(await kindOf(post(endless, URLENCODED, declared))).toBe('too_large');
		expect(pulled).toBe(0);
	});

	test('without an end is read up to the bound', async () => {
		let pulled = 0;
		const endless = new ReadableStream<Uint8Array>(
			{
				pull: (controller) => {
					pulled += 1;
					controller.enqueue(new Uint8Array(1024).fill(0x61));
				}
			},
			{ highWaterMark: 0 }
		);
		expect(await kindOf(post(endless))).toBe('too_large');
		expect(pulled).toBe(MAX_FORM_BYTES / 1024 + 1);
	});

	test.each([
		['a body of another content type', post('a=b', 'text/plain')],
		[
			'multipart with a boundary that is too long',
			post(
				parts(2).replaceAll(BOUNDARY, 'x'.repeat(200)),
				MULTIPART.replace(BOUNDARY, 'x'.repeat(200))
			)
		],
		['multipart without a boundary', post('x', 'multipart/form-data')],
		['multipart without its closing boundary', post(parts(2).slice(0, -20), MULTIPART)]
	])('%s is unreadable', async (_, request) => {
		expect(await kindOf(request)).toBe('unreadable');
	});

	test('R01 fields are counted before they are parsed, so that many of them cost a fraction of the parser’s time', async () => {
		const body = 'a&'.repeat(MAX_FORM_BYTES / 2);
		const parsed = await leastTime(
			() => post(body),
			(request) => request.formData()
		);
		const refused = await leastTime(() => post(body), readForm);
		expect(refused).toBeLessThan(parsed / 3);
	});

	test('R01 no body takes more than linear time: 64 KiB cost less than ten times as much as 16 KiB', async () => {
		const cost = (body: string, type: string): Promise<number> =>
			leastTime(() => post(body, type), readForm);
		const shorter = new Map(pathologicalForms(MAX_FORM_BYTES / 4).map((form) => [form.name, form]));
		for (const { name, type, body } of pathologicalForms(MAX_FORM_BYTES)) {
			const quarter = await cost(shorter.get(name)?.body ?? '', type);
			// Below half a millisecond, the clock and the request itself count for more. Quadratic time
			// would be sixteen times as much.
			const most = 10 * Math.max(quarter, 0.5);
			expect([name, (await cost(body, type)) < most]).toEqual([name, true]);
		}
	});
});
