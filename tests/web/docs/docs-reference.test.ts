import { describe, expect, it } from 'vitest';
import { openApiDocument } from '#lib/adapters/web/api/openapi/document.ts';
import { apiReference, operationId } from '#lib/adapters/web/api/reference/api-reference.ts';
import { curlCommand } from '#lib/adapters/web/api/reference/curl.ts';
import { errorMeanings } from '#lib/adapters/web/api/reference/error-meanings.ts';
import { fieldsOf, typeOf } from '#lib/adapters/web/api/reference/schema-words.ts';
import { inline } from '#lib/ui/text/inline.ts';

const reference = apiReference(
	openApiDocument({
		origin: 'https://auth.example.org',
		secure: true,
		signInLayout: 'single',
		siteName: 'Postern'
	})
);
const operations = reference.groups.flatMap((group) => group.operations);

describe('the API reference', () => {
	it('gives every operation a unique and readable id', () => {
		const ids = operations.map(({ id }) => id);
		expect(new Set(ids).size).toBe(ids.length);
		expect(operationId('POST', '/api/auth/sign-in/email-otp')).toBe('post-sign-in-email-otp');
		expect(operationId('GET', '/api/hello')).toBe('get-hello');
		expect(operationId('GET', '/api/authors')).toBe('get-authors');
	});

	it('has a meaning for every error, and no meaning without an error', () => {
		const codes = reference.errors.map(({ code }) => code);
		expect([...codes].sort()).toEqual(Object.keys(errorMeanings).sort());
		for (const { errors } of operations) expect(codes).toEqual(expect.arrayContaining([...errors]));
	});

	it('shows the input, requirements and answers of a call', () => {
		const signIn = operations.find(({ id }) => id === 'post-sign-in-email-otp');
		expect(signIn?.session).toBe('unused');
		expect(signIn?.body.map(({ name, required }) => [name, required])).toEqual(
			expect.arrayContaining([
				['email', true],
				['otp', true],
				['name', false],
				['marketingOptIn', false]
			])
		);
		expect(signIn?.answer.headers.map(({ name }) => name)).toEqual(['set-auth-token']);
		expect(signIn?.answer.body?.fields.map(({ name }) => name)).toEqual(['token', 'user']);
		expect(signIn?.errors).toContain('ACCOUNT_DELETED');
		expect(operations.find(({ id }) => id === 'get-get-session')?.session).toBe('optional');
		expect(operations.find(({ id }) => id === 'get-hello')?.session).toBe('required');
		expect(operations.find(({ id }) => id === 'get-verify-email')?.answer).toMatchObject({
			status: '302',
			body: null
		});
	});
});

describe('schemas in words', () => {
	const words = (schema: Parameters<typeof typeOf>[0]): string =>
		typeOf(schema)
			.map(({ text }) => text)
			.join('');

	it('names types in plain words', () => {
		expect(words({ type: 'string' })).toBe('string');
		expect(words({ anyOf: [{ type: 'string' }, { type: 'null' }] })).toBe('string or null');
		expect(words({ type: 'array', items: { type: 'boolean' } })).toBe('list of boolean');
		expect(words({ const: true })).toBe('true');
		expect(words({ enum: ['a', 'b'] })).toBe('"a" or "b"');
		expect(words({})).toBe('anything');
		expect(typeOf({ $ref: '#/components/schemas/User' })).toEqual([
			{ text: 'User', schema: 'User' }
		]);
	});

	it('shows the limits of a field, also of a nullable one', () => {
		const limits = fieldsOf({
			type: 'object',
			properties: {
				image: { anyOf: [{ type: 'string', maxLength: 9 }, { type: 'null' }] },
				at: { type: 'string', format: 'date-time', pattern: '^x$' },
				token: { type: 'string', minLength: 1, pattern: '^x$' }
			}
		}).map(({ limits }) => limits);
		expect(limits).toEqual([
			['at most 9 characters'],
			['ISO 8601, in UTC'],
			['at least 1 characters', 'matches `^x$`']
		]);
	});
});

describe('commands', () => {
	it('quotes any body for the shell', () => {
		const command = curlCommand({
			method: 'POST',
			url: 'http://localhost:3000/x',
			body: { name: `it's "$HOME"` },
			bearer: true
		});
		expect(command).toBe(
			[
				'curl http://localhost:3000/x \\',
				'  -H "Authorization: Bearer $TOKEN" \\',
				"  -H 'Content-Type: application/json' \\",
				`  -d '{"name":"it'\\''s \\"$HOME\\""}'`
			].join('\n')
		);
	});

	it('names the method where curl would choose another one', () => {
		const url = 'http://localhost:3000/x';
		expect(curlCommand({ method: 'GET', url, bearer: false })).toBe(`curl ${url}`);
		expect(curlCommand({ method: 'POST', url, bearer: false })).toBe(`curl -X POST ${url}`);
	});
});

describe('short texts', () => {
	it('mark code and emphasis, and treat error codes as code', () => {
		expect(inline('**Note** `a_b` or INVALID_OTP, not OTP.')).toEqual([
			{ kind: 'strong', text: 'Note' },
			{ kind: 'text', text: ' ' },
			{ kind: 'code', text: 'a_b' },
			{ kind: 'text', text: ' or ' },
			{ kind: 'code', text: 'INVALID_OTP' },
			{ kind: 'text', text: ', not OTP.' }
		]);
	});
});
