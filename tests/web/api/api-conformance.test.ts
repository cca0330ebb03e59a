import { describe, expect, test } from 'vitest';
import { complaintAbout } from '../../support/api/conformance.ts';

const json = { 'content-type': 'application/json' };
const ask = (
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
		expect(ask(OK, 200, { ok: true })).toBeNull();
		expect(ask(`${OK}?x=1`, 200, { ok: true })).toBeNull();
		expect(ask('GET /api/auth/%6fk', 200, { ok: true })).toBeNull();
		expect(ask('GET /api/auth/./ok', 200, { ok: true })).toBeNull();
		expect(ask('HEAD /api/auth/ok', 200, undefined)).toBeNull();
		expect(ask(SEND, 400, error('INVALID_EMAIL'))).toBeNull();
		expect(ask(SEND, 429, error('TOO_MANY_REQUESTS'), wait)).toBeNull();
		expect(
			ask('PUT /api/auth/ok', 405, error('METHOD_NOT_ALLOWED'), { ...json, allow: 'GET' })
		).toBeNull();
		expect(ask('GET /api/auth/no-such', 404, error('NOT_FOUND'))).toBeNull();
		expect(ask('POST /api/auth/no-such', 403, error('INVALID_ORIGIN'))).toBeNull();
		expect(ask('GET /app', 200, undefined, {})).toBeNull();
	});

	test.each([
		['an undocumented status', ask(OK, 201, { ok: true }), 'no such answer'],
		['a body that does not match the schema', ask(OK, 200, { ok: false }), 'body/ok must be'],
		['an undocumented field', ask(OK, 200, { ok: true, more: 1 }), 'additional properties'],
		[
			'another content type',
			ask(OK, 200, { ok: true }, { 'content-type': 'text/html' }),
			'not JSON'
		],
		[
			'an error that the call does not document',
			ask(OK, 400, error('INVALID_EMAIL')),
			'no such answer'
		],
		[
			'an error code that the status does not document',
			ask(SEND, 400, error('INVALID_OTP')),
			'body/code must be'
		],
		['an error without code', ask(SEND, 400, { message: 'x' }), 'code'],
		[
			'an error with an undocumented field',
			ask(SEND, 400, error('INVALID_EMAIL', { stack: '' })),
			'additional'
		],
		['429 without Retry-After', ask(SEND, 429, error('TOO_MANY_REQUESTS')), 'it lacks Retry-After'],
		[
			'405 without Allow',
			ask('PUT /api/auth/ok', 405, error('METHOD_NOT_ALLOWED')),
			'it lacks Allow'
		],
		[
			'405 for a missing path',
			ask('PUT /api/auth/x', 405, error('METHOD_NOT_ALLOWED')),
			'no such answer'
		],
		[
			'404 for an existing path',
			ask('PUT /api/auth/ok', 404, error('NOT_FOUND')),
			'no such answer'
		],
		['200 for a missing path', ask('GET /api/auth/x', 200, { ok: true }), 'no such answer'],
		[
			'a body where none is documented',
			ask('GET /api/auth/verify-email', 302, {}, { location: '/' }),
			'no body'
		]
	])('fails %s', (_name, complaint, part) => {
		expect(complaint).toContain(part);
	});
});
