import { error } from '@sveltejs/kit';
import { describe, expect, test } from 'vitest';
import { endpoint } from '#lib/adapters/web/api/endpoint.ts';
import { readOk } from '#lib/adapters/web/service/operations.ts';
import { StoreUnavailable } from '#lib/domain/errors.ts';
import { apiDocument } from '../../support/api/document.ts';
import { aSignedInSite, bearer, newAddress, SEND, VERIFY } from '../../support/web/sign-in.ts';
import { aSite } from '../../support/web/site.ts';
import type { Answer, ApiCall } from '../../support/web/visitor.ts';

const UPDATE = '/api/auth/update-user';
const HELLO = '/api/hello';
const JSON_TYPE = { 'content-type': 'application/json' };

const refusal = (answer: Answer): readonly [number, string] => [
	answer.status,
	(answer.json() as { code: string }).code
];

describe('the body', () => {
	test('A13 I08 of another shape is 400 and names every field (CVE-2013-0233)', async () => {
		const site = await aSite();
		const answer = await site.visitor().call(VERIFY, { json: { email: 1, otp: ['123456'] } });
		expect(refusal(answer)).toEqual([400, 'VALIDATION_ERROR']);
		expect(answer.json()).toHaveProperty(
			'message',
			'[body.email] Invalid input: expected string, received number; [body.otp] Invalid input: expected string, received array'
		);
		for (const json of [null, [], 'text', 1]) {
			expect(refusal(await site.visitor().call(SEND, { json }))).toEqual([400, 'VALIDATION_ERROR']);
		}
	});

	test('O03 may be deep and wide, and of a duplicate key the last one counts, for the email and its limit', async () => {
		const site = await aSite();
		const send = (body: string) => site.visitor().call(SEND, { body, headers: JSON_TYPE });
		const deep = `${'['.repeat(30_000)}${']'.repeat(30_000)}`;
		expect((await send(deep)).status).toBe(400);
		expect((await send(`{"email":${deep.slice(0, 1000)}${deep.slice(-1000)}}`)).status).toBe(400);
		const [first, last] = [newAddress(), newAddress()];
		const keys = Array.from({ length: 5000 }, (_, i) => `"k${i}":1`).join();
		expect((await send(`{${keys},"email":"${first}","email":"${last}"}`)).status).toBe(200);
		expect([await site.mailsTo(first), (await site.mailsTo(last)).length]).toEqual([[], 1]);
	});

	test('O04 may have unknown keys, which are ignored', async () => {
		const { site, visitor } = await aSignedInSite();
		const [before] = site.tables.users.values();
		const answer = await visitor.api(UPDATE, {
			json: { name: 'Ada', id: 'x', emailVerified: false, createdAt: 0, role: 'admin' }
		});
		expect(answer.status).toBe(200);
		const [after] = site.tables.users.values();
		expect(after).toEqual({ ...before, name: 'Ada', updatedAt: site.clock.now() });
	});

	test('is not read by an operation without a body', async () => {
		const { visitor } = await aSignedInSite();
		for (const [body, type] of [
			['{', 'application/json'],
			['x', 'text/plain'],
			['x'.repeat(70_000), 'application/json']
		] as const) {
			const headers = { 'content-type': type };
			const answer = await visitor.api('/api/marketing-consent', { body, headers });
			expect([answer.status, answer.json()]).toEqual([200, { success: true }]);
		}
	});
});

describe('the order of the checks', () => {
	test('is origin, body, schema, redirects, session', async () => {
		const { site, visitor } = await aSignedInSite();
		const [path, evil, newEmail] = ['/api/auth/change-email', 'https://evil.example', newAddress()];
		const client = (call: ApiCall): Promise<Answer> => site.visitor().call(path, call);
		// Each request fails all checks from one on.
		const answers = [
			await visitor.api(path, { body: '{', headers: { ...JSON_TYPE, origin: evil } }),
			await client({ body: '{', headers: JSON_TYPE }),
			await client({ json: { newEmail: 1, callbackURL: evil } }),
			await client({ json: { newEmail, callbackURL: evil } }),
			await client({ json: { newEmail, callbackURL: '/app' } })
		];
		expect(answers.map(refusal)).toEqual([
			[403, 'INVALID_ORIGIN'],
			[400, 'BAD_REQUEST'],
			[400, 'VALIDATION_ERROR'],
			[403, 'INVALID_CALLBACK_URL'],
			[401, 'UNAUTHORIZED']
		]);
		expect(answers.at(-1)?.json()).toEqual({ message: 'Unauthorized', code: 'UNAUTHORIZED' });
	});

	test('refuses a foreign redirect target in the query and in the body', async () => {
		const { site, visitor } = await aSignedInSite();
		const email = newAddress();
		const answers = [
			await visitor.api('/api/auth/get-session?redirectTo=%2F%2Fevil.example'),
			await visitor.api(SEND, { json: { email, redirectTo: '//evil.example' } })
		];
		expect(answers.map(refusal)).toEqual(Array(2).fill([403, 'INVALID_REDIRECT_URL']));
		expect(await site.mailsTo(email)).toEqual([]);
		expect((await visitor.api(SEND, { json: { email, redirectTo: '/app' } })).status).toBe(200);
	});
});

describe('methods and paths', () => {
	test('Q08 an unsupported method is 405 with the list of supported ones', async () => {
		const { visitor } = await aSignedInSite();
		for (const [path, item] of Object.entries(apiDocument.paths)) {
			const has = Object.keys(item).map((method) => method.toUpperCase());
			if (has.includes('GET')) has.splice(has.indexOf('GET') + 1, 0, 'HEAD');
			for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
				if (has.includes(method)) continue;
				const { status, headers } = await visitor.api(path, { method });
				expect([path, method, status, headers.get('allow')?.split(', ')]).toEqual([
					path,
					method,
					405,
					has
				]);
			}
		}
	});

	test('hello is 401 without a session and greets by name or email address', async () => {
		const { site, visitor, email, token } = await aSignedInSite();
		expect(refusal(await site.visitor().call(HELLO))).toEqual([401, 'UNAUTHORIZED']);
		const headers = bearer(token);
		expect((await visitor.call(HELLO, { headers })).json()).toEqual({ message: `Hello, ${email}` });
		await visitor.api(UPDATE, { json: { name: 'Ada' } });
		expect((await visitor.call(HELLO, { headers })).json()).toEqual({ message: 'Hello, Ada' });
	});
});

describe('faults', () => {
	test('an HTTP error that an endpoint throws keeps its status and message, and its code if it has one', async () => {
		const answers = [{}, { code: 'TAKEN' }].map((more) =>
			endpoint(readOk, () => error(409, 'Taken', more)).GET({
				url: new URL('http://x/'),
				locals: {}
			} as never)
		);
		const read = async (answer: Response) => [answer.status, await answer.json()];
		expect(await Promise.all((await Promise.all(answers)).map(read))).toEqual([
			[409, { message: 'Taken', code: 'ERROR' }],
			[409, { message: 'Taken', code: 'TAKEN' }]
		]);
	});

	test('a store that is down is 503 with Retry-After, any other error 500; neither shows its cause', async () => {
		const { site, visitor } = await aSignedInSite();
		site.breakStore('accounts.update');
		const down = await visitor.api(UPDATE, { json: { name: 'Ada' } });
		expect([down.status, down.headers.get('retry-after'), down.json()]).toEqual([
			503,
			'2',
			{ message: 'Service unavailable', code: 'SERVICE_UNAVAILABLE' }
		]);
		const bug = new Error('select * from "user"');
		site.breakStore('accounts.update', bug);
		const broken = await visitor.api(UPDATE, { json: { name: 'Ada' } });
		expect([broken.status, broken.json()]).toEqual([
			500,
			{ message: 'Something went wrong on our side', code: 'INTERNAL_ERROR' }
		]);
		const logged = [
			[down, new StoreUnavailable('broken by a test')] as const,
			[broken, bug] as const
		].map(([{ headers }, fault]) =>
			expect.objectContaining({
				where: `POST ${UPDATE}`,
				fault,
				requestId: headers.get('x-request-id')
			})
		);
		expect(site.log.filter(({ name }) => name === 'fault')).toEqual(logged);
	});
});
