import { describe, expect, test } from 'vitest';
import { MAX_FORM_BYTES, MAX_FORM_FIELDS, readForm } from '#lib/adapters/web/http/form-body.ts';
import { aVisitedSite } from '../../support/web/sign-in.ts';

const URLENCODED = 'application/x-www-form-urlencoded';
const BOUNDARY = 'postern-test';
const MULTIPART = `multipart/form-data; boundary=${BOUNDARY}`;

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

	test('of parts may have any number of separators in a part', async () => {
		const body = parts(1).replace('\r\nv\r\n', `\r\n${'&a'.repeat(MAX_FORM_FIELDS + 1)}\r\n`);
		expect(await kindOf(post(body, MULTIPART))).toBe('read');
	});

	test('may have 64 KiB and no more', async () => {
		const of = (bytes: number): string => `a=${'x'.repeat(bytes - 2)}`;
		expect(await kindOf(post(of(MAX_FORM_BYTES)))).toBe('read');
		expect(await kindOf(post(of(MAX_FORM_BYTES + 1)))).toBe('too_large');
	});

	test('without an end is read up to the bound, and not at all if its declared length is over it', async () => {
		let pulled = 0;
		const endless = () =>
			new ReadableStream<Uint8Array>(
				{
					pull: (controller) => {
						pulled += 1;
						controller.enqueue(new Uint8Array(1024).fill(0x61));
					}
				},
				{ highWaterMark: 0 }
			);
		const declared = { 'content-length': String(MAX_FORM_BYTES + 1) };
		expect(await kindOf(post(endless(), URLENCODED, declared))).toBe('too_large');
		expect(pulled).toBe(0);
		expect(await kindOf(post(endless()))).toBe('too_large');
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
});

test('O02 a form in devalue’s notation is bounded and pollutes nothing (CVE-2025-57820, CVE-2026-22774, CVE-2026-22775)', async () => {
	const { site, visitor } = await aVisitedSite();
	const post = (fields: Readonly<Record<string, string>>) =>
		visitor.post('/auth/sign-in?/request', fields);
	const invalid = (await post({})).form;
	for (const payload of [
		'[{"__proto__":1},{"email":2},"x@evil.example"]',
		'[["Object",{"__proto__":1}],{"polluted":2},true]',
		'[[-7,4294967295,0,1],"x"]',
		`[["Float64Array",1],["ArrayBuffer","${'A'.repeat(50_000)}"]]`,
		`[["BigInt","${'9'.repeat(50_000)}"]]`,
		'[["RegExp","(a+)+$","g"]]',
		'[["Set",0]]',
		`${'['.repeat(10_000)}1${']'.repeat(10_000)}`,
		'{',
		'999'
	]) {
		site.clock.advance(60);
		for (const name of ['__superform_json', '__superform_files_email']) {
			const { status, form } = await post({ [name]: payload });
			expect([payload.slice(0, 40), status, form]).toEqual([payload.slice(0, 40), 400, invalid]);
		}
	}
	expect(await site.mailsTo('x@evil.example')).toEqual([]);
});
