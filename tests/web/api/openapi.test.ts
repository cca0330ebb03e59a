import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, test } from 'vitest';
import { httpErrors, isOwnHttpError, type WireError } from '#lib/adapters/web/http/http-errors.ts';
import { REDIRECT_ERRORS } from '#lib/adapters/web/http/redirects.ts';
import { errorResponses, possibleErrors } from '#lib/adapters/web/api/openapi/errors.ts';
import { URLENCODED } from '#lib/adapters/web/http/form-body.ts';
import { getSession } from '#lib/adapters/web/sessions/operations.ts';
import { openApiDocument, operations } from '#lib/adapters/web/operations.ts';
import type { DocumentConfig } from '#lib/adapters/web/api/operation.ts';
import { errorShape } from '#lib/adapters/web/api/openapi/error-schema.ts';
import { outcomes } from '#lib/adapters/web/http/outcome.ts';
import packageJson from '../../../package.json' with { type: 'json' };
import {
	apiDocument,
	documentedOperations,
	JSON_TYPE,
	saysOf,
	validatorAt
} from '../../support/api/document.ts';
import { sampleDocument, sampleOperations } from '../../support/api/sample.ts';
import { routes } from '../../support/web/routes.ts';
import { aSignedInSite, bearer } from '../../support/web/sign-in.ts';
import { aSite } from '../../support/web/site.ts';

const DOCUMENT = '/api/auth/openapi.json';

const config: DocumentConfig = {
	origin: 'https://auth.example.org',
	secure: true,
	siteName: 'Acme'
};
const wireError = (status: number, code: string, message: string): WireError => ({
	status,
	code,
	message
});
const text = JSON.stringify(apiDocument);
/** All codes of errors in the document. */
const shown = [...text.matchAll(/`([A-Z_]+)`: /g)].map(([, code]) => code);

/** Of paths without the method. The description of the document has it. */
const ELSEWHERE = 'method_not_allowed';

const isObject = (value: unknown): value is Record<string, unknown> =>
	typeof value === 'object' && value !== null;

/** Every object in the document, with its JSON pointer. */
const objectsIn = (value: unknown, place = ''): [string, Record<string, unknown>][] =>
	isObject(value)
		? [
				[place, value],
				...Object.entries(value).flatMap(([key, inner]) =>
					objectsIn(inner, `${place}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`)
				)
			]
		: [];

const stepsOf = (pointer: string): readonly string[] =>
	pointer
		.split('/')
		.slice(1)
		.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));

const at = (pointer: string): unknown =>
	stepsOf(pointer).reduce<unknown>(
		(value, step) => (isObject(value) ? value[step] : undefined),
		apiDocument
	);

describe('the OpenAPI document', () => {
	test('is valid OpenAPI 3.1', async () => {
		const validator = new Validator();
		const copy = structuredClone(openApiDocument(config));
		const { valid, errors } = await validator.validate(copy as never);
		expect([valid, errors, validator.version]).toEqual([true, undefined, '3.1']);
	});

	test('contains the name, address, cookie and package version of the installation', () => {
		const { info, servers, components } = openApiDocument(config);
		expect(info).toMatchObject({ title: 'Acme API', version: packageJson.version });
		const description = expect.stringMatching(/^\S.+\.$/);
		expect(servers).toEqual([{ url: 'https://auth.example.org', description }]);
		expect(components.securitySchemes).toEqual({
			bearer: { type: 'http', scheme: 'bearer', description },
			cookie: { type: 'apiKey', in: 'cookie', name: '__Host-postern_session', description }
		});
		expect(apiDocument.components.securitySchemes.cookie.name).toBe('postern_session');
	});

	test('describes client keys where they have an effect, challenges where one is requested, and limits of single calls', () => {
		const naming = (text: string): readonly string[] =>
			documentedOperations
				.filter(({ operation }) => JSON.stringify(operation).includes(text))
				.map(({ operation }) => operation.operationId)
				.toSorted();
		const sending = ['requestEmailChange', 'requestEmailChangeByLink', 'sendCode'];
		const checking = ['changeEmailByCode', 'checkCode', 'signIn', 'verifyEmail'];
		expect(naming('X-Postern-Client')).toEqual(['checkCode', 'sendCode', 'signIn', 'verifyEmail']);
		expect(naming('limit for sending codes and links')).toEqual(sending);
		expect(naming('limit for checking codes')).toEqual(checking);
		expect(naming('No limit counts the call.')).toEqual(['checkForProxy', 'hello']);
		for (const text of ['CHALLENGE_REQUIRED', 'INVALID_PROOF', 'X-Postern-Proof']) {
			expect(naming(text)).toEqual(['sendCode']);
		}
	});

	test('every reference resolves, and every component is used', () => {
		const references = objectsIn(apiDocument).flatMap(([, { $ref }]) =>
			typeof $ref === 'string' ? [$ref] : []
		);
		expect(references.length).toBeGreaterThan(100);
		expect(references.filter((one) => !one.startsWith('#/') || at(one) === undefined)).toEqual([]);
		const { securitySchemes: _, ...named } = apiDocument.components;
		const components = Object.entries(named).flatMap(([kind, group]) =>
			Object.keys(group).map((name) => `#/components/${kind}/${name}`)
		);
		expect(components.filter((one) => !references.includes(one))).toEqual([]);
	});

	test('every error is documented, except the one of no operation', () => {
		const known = Object.entries(httpErrors).filter(([name]) => name !== ELSEWHERE);
		const codes = known.map(([, { code }]) => code);
		expect([...new Set(shown)].sort()).toEqual(codes.sort());
	});

	test('an error of the web adapter never has the name of a domain error', () => {
		expect(Object.keys(outcomes).filter((code) => isOwnHttpError({ code }))).toEqual([]);
	});

	test('the fields of an error besides message and code are in its schema', () => {
		const times = { purgeAt: new Date(0), undoUntil: new Date(0) };
		const error = { code: 'account_deleted', ...times, restoreToken: null } as const;
		for (const outcome of Object.values(outcomes)) {
			const fields = 'more' in outcome ? Object.keys(outcome.more(error as never)) : [];
			expect(Object.keys(errorShape.shape)).toEqual(expect.arrayContaining(fields));
		}
	});

	test('every operation has a unique name, a tag with a description, and a summary', () => {
		expect(documentedOperations.length).toBe(operations.length);
		const ids = documentedOperations.map(({ operation }) => operation.operationId);
		expect(new Set(ids).size).toBe(ids.length);
		for (const { operation } of documentedOperations) {
			expect(operation.operationId).toMatch(/^[a-z][A-Za-z]+$/);
			expect(operation.summary).toMatch(/^[A-Z].*[^.]$/);
			expect(operation.description).toMatch(/^[A-Z][^]+\.$/);
		}
		const used = new Set(documentedOperations.flatMap(({ operation }) => operation.tags));
		expect(apiDocument.tags.map(({ name }) => name)).toEqual([...used]);
	});

	test('every field of every body and answer has a description', () => {
		const plain = ['success', 'status', 'ok'];
		const silent = objectsIn(apiDocument).flatMap(([place, schema]) =>
			isObject(schema['properties']) && !place.includes('/allOf/')
				? Object.entries(schema['properties']).flatMap(([name, field]) =>
						isObject(field) && ('description' in field || '$ref' in field || 'const' in field)
							? []
							: [`${place}/${name}`]
					)
				: []
		);
		expect(silent.filter((place) => !plain.includes(place.split('/').at(-1) ?? ''))).toEqual([]);
	});

	test('every example matches its schema', () => {
		const examples = objectsIn(apiDocument).flatMap(([place, { schema, example }]) =>
			isObject(schema) && !place.endsWith('/schema') && example !== undefined
				? [[place, example] as const]
				: []
		);
		expect(examples.length).toBeGreaterThan(30);
		for (const [place, example] of examples) {
			const validate = validatorAt(...stepsOf(place), 'schema');
			expect([place, validate(example) || saysOf(validate)]).toEqual([place, true]);
		}
	});

	test('the schema of an answer allows no undescribed field', () => {
		const validate = validatorAt('components', 'schemas', 'User');
		const user = getSession.response.example as {
			user: Record<string, unknown>;
		};
		expect(validate(user.user)).toBe(true);
		expect(validate({ ...user.user, isTrialEligible: true })).toBe(false);
		expect(validate({ ...user.user, createdAt: '2026-11-19T08:30:00Z' })).toBe(false);
		expect(validate({ ...user.user, image: undefined })).toBe(false);
	});

	test('documents forms in both encodings, pages as HTML, and the redirect of some cases', () => {
		const { paths } = sampleDocument();
		const schema = expect.objectContaining({ required: ['a b'] });
		const form = { schema, example: { 'a b': 'c&d' } };
		const content = { [URLENCODED]: form, 'multipart/form-data': form };
		expect(paths['/api/hello']?.post?.requestBody).toEqual({ required: true, content });
		const page = { 'text/html': { schema: { type: 'string' } } };
		const answer = paths['/api/auth/ok']?.get?.responses['200'];
		expect(answer).toEqual({ description: 'A page.', content: page });
		expect(paths['/api/unsubscribe/{token}']?.post?.responses['200']).not.toHaveProperty('headers');
		const header = { required: true, schema: { type: 'string' } };
		expect(paths['/api/auth/forward']?.get?.responses).toMatchObject({
			200: { headers: { 'X-User': { ...header, description: '' } } },
			302: { headers: { Location: { ...header, description: 'Sign-in.' } } }
		});
	});

	test('an operation has the errors of its shape besides its own, without repetition', () => {
		const body = 'UNSUPPORTED_MEDIA_TYPE PAYLOAD_TOO_LARGE BAD_REQUEST VALIDATION_ERROR';
		const origin = 'INVALID_ORIGIN MISSING_OR_NULL_ORIGIN';
		const redirect = REDIRECT_ERRORS.map((name) => httpErrors[name].code).join(' ');
		const always = `${redirect} SERVICE_UNAVAILABLE INTERNAL_ERROR`;
		const errors = sampleOperations.map((one) => possibleErrors(one).map(({ code }) => code));
		expect(errors.map((codes) => codes.join(' '))).toEqual([
			`TOO_MANY_REQUESTS ${origin} ${body} ${redirect} INVALID_CLIENT_KEY UNAUTHORIZED INVALID_PROOF SERVICE_UNAVAILABLE INTERNAL_ERROR ACCOUNT_DELETED EMAIL_NOT_SENT`,
			`TOO_MANY_REQUESTS ${always}`,
			`TOO_MANY_REQUESTS ${origin} ${always}`,
			`${origin} ${body} ${always}`,
			always
		]);
	});

	test('an error response has its codes, messages and headers', () => {
		const errors = [
			wireError(400, 'A_B', 'One'),
			wireError(400, 'C', 'Two'),
			wireError(503, 'D', ''),
			wireError(429, 'SLOW_DOWN', '')
		];
		const responses = errorResponses(errors);
		expect(responses[400]).toEqual({
			description: '`A_B`: One\n\n`C`: Two',
			content: {
				[JSON_TYPE]: {
					schema: {
						allOf: [
							{ $ref: '#/components/schemas/Error' },
							{ properties: { code: { enum: ['A_B', 'C'] } } }
						]
					}
				}
			}
		});
		for (const status of [429, 503]) {
			expect(Object.keys(responses[status]?.headers ?? {})).toEqual([
				'Retry-After',
				'X-Retry-After'
			]);
		}
	});

	test('it uses no internal term', () => {
		expect(text).not.toMatch(/#lib|\$defs|svelte|zod|sqlite|postgres|argon|use-case/i);
		for (const name of Object.keys(outcomes)) expect(text).not.toContain(`"${name}"`);
	});
});

test('it describes every endpoint of the API except webhooks, and nothing else', () => {
	const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
	const handled = routes
		.filter(({ id, isPage }) => !isPage && /^\/api\/(?!hooks\/)/.test(id) && !id.includes('[...'))
		.flatMap(({ id, module }) =>
			methods
				.filter((method) => method in module)
				.map((method) => `${method} ${id.replaceAll(/\[(\w+)\]/g, '{$1}')}`)
		);
	const described = documentedOperations.map((one) => `${one.method.toUpperCase()} ${one.path}`);
	expect(handled.toSorted()).toEqual(described.toSorted());
});

test('it is public and may be cached for five minutes, except for a signed-in caller', async () => {
	const { site, token } = await aSignedInSite();
	const answer = await site.visitor().call(DOCUMENT);
	expect([answer.status, answer.json()]).toEqual([200, openApiDocument(site.app.config)]);
	expect(answer.headers.get('cache-control')).toBe('public, max-age=300');
	const own = await site.visitor().call(DOCUMENT, { headers: bearer(token) });
	expect([own.status, own.headers.get('cache-control')]).toEqual([200, null]);
});

test('with DOCS=off it is 404, and so is its reference', async () => {
	const visitor = (await aSite({ DOCS: 'off' })).visitor();
	for (const path of [DOCUMENT, '/docs']) {
		for (const method of ['GET', 'HEAD']) {
			expect((await visitor.call(path, { method })).status).toBe(404);
		}
	}
});
