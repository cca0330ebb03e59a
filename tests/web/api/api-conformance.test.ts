import { describe, expect, test } from 'vitest';
import { complaintAbout } from '../../support/api/conformance.ts';

const json = { 'content-type': 'application/json' };
const check = (
	line: string,
	status: number,
	body: unknown,
	headers: Readonly<Record<string, string>> = json
): string | null => {
	const [method = '', path = ''] = line.split(' ');
	const text = body === undefined ? '' : JSON.stringify(body);
	return complaintAbout({ method, path, headers: {} }, { status, headers, text });
};
const error = (code: string, more: object = {}): object => ({ message: 'x', code, ...more });

const OK = 'GET /api/auth/ok';
const SEND = 'POST /api/auth/email-otp/send-verification-otp';
const wait = { ...json, 'retry-after': '9' };

describe('the check of an answer against the document', () => {
	test('passes an answer that the document describes', () => {
		expect(check(OK, 200, { ok: true })).toBeNull();
		expect(check(`${OK}?x=1`, 200, { ok: true })).toBeNull();
		expect(check('GET /api/auth/%6fk', 200, { ok: true })).toBeNull();
		expect(check('GET /api/auth/./ok', 200, { ok: true })).toBeNull();
		expect(check('HEAD /api/auth/ok', 200, undefined)).toBeNull();
		expect(check(SEND, 400, error('INVALID_EMAIL'))).toBeNull();
		expect(check(SEND, 429, error('TOO_MANY_REQUESTS'), wait)).toBeNull();
		expect(
			check('PUT /api/auth/ok', 405, error('METHOD_NOT_ALLOWED'), { ...json, allow: 'GET' })
		).toBeNull();
		expect(check('GET /api/auth/no-such', 404, error('NOT_FOUND'))).toBeNull();
		expect(check('POST /api/auth/no-such', 403, error('INVALID_ORIGIN'))).toBeNull();
		expect(check('GET /app', 200, undefined, {})).toBeNull();
	});

	test.each([
		['an undocumented status', check(OK, 201, { ok: true }), 'no such answer'],
		['a body that does not match the schema', check(OK, 200, { ok: false }), 'body/ok must be'],
		['an undocumented field', check(OK, 200, { ok: true, more: 1 }), 'additional properties'],
		[
			'another content type',
			check(OK, 200, { ok: true }, { 'content-type': 'text/html' }),
			'not JSON'
		],
		[
			'an error that the call does not document',
			check(OK, 400, error('INVALID_EMAIL')),
			'no such answer'
		],
		[
			'an error code that the status does not document',
			check(SEND, 400, error('INVALID_OTP')),
			'body/code must be'
		],
		['an error without code', check(SEND, 400, { message: 'x' }), 'code'],
		[
			'an error with an undocumented field',
			check(SEND, 400, error('INVALID_EMAIL', { stack: '' })),
			'additional'
		],
		[
			'429 without Retry-After',
			check(SEND, 429, error('TOO_MANY_REQUESTS')),
			'it lacks Retry-After'
		],
		[
			'405 without Allow',
			check('PUT /api/auth/ok', 405, error('METHOD_NOT_ALLOWED')),
			'it lacks Allow'
		],
		[
			'405 for a missing path',
			check('PUT /api/auth/x', 405, error('METHOD_NOT_ALLOWED')),
			'no such answer'
		],
		[
			'404 for an existing path',
			check('PUT /api/auth/ok', 404, error('NOT_FOUND')),
			'no such answer'
		],
		['200 for a missing path', check('GET /api/auth/x', 200, { ok: true }), 'no such answer'],
		[
			'a body where none is documented',
			check('GET /api/auth/verify-email', 302, {}, { location: '/' }),
			'no body'
		]
	])('fails %s', (_name, complaint, part) => {
		expect(complaint).toContain(part);
	});
});
