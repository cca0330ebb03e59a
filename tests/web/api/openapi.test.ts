import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, test } from 'vitest';
import { httpErrors } from '#lib/adapters/web/http/http-errors.ts';
import type { JsonSchema } from '#lib/adapters/web/api/openapi/types.ts';
import { openApiDocument } from '#lib/adapters/web/operations.ts';
import { tags, type DocumentConfig } from '#lib/adapters/web/api/operation.ts';
import { operations } from '#lib/adapters/web/operations.ts';
import { errorShape } from '#lib/adapters/web/api/openapi/error-schema.ts';
import { outcomes } from '#lib/adapters/web/http/outcome.ts';
import packageJson from '../../../package.json' with { type: 'json' };
import {
	apiDocument,
	documentedOperations,
	JSON_TYPE,
	responseOf,
	saysOf,
	validatorAt
} from '../../support/api/document.ts';

const config: DocumentConfig = {
	origin: 'https://auth.example.org',
	secure: true,
	signInLayout: 'split',
	siteName: 'Acme'
};
const text = JSON.stringify(apiDocument);

/** Errors that no endpoint returns: only pages handle the links and grants they are about. */
const ONLY_PAGES = ['invalid_link', 'invalid_restore_grant'];

const isObject = (value: unknown): value is Record<string, unknown> =>
	typeof value === 'object' && value !== null;

/** Every object in the document, with its path. */
const objectsIn = (value: unknown, place = ''): [string, Record<string, unknown>][] =>
	isObject(value)
		? [
				[place, value],
				...Object.entries(value).flatMap(([key, inner]) => objectsIn(inner, `${place}/${key}`))
			]
		: [];

const at = (pointer: string): unknown =>
	pointer
		.split('/')
		.slice(1)
		.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
		.reduce<unknown>((value, step) => (isObject(value) ? value[step] : undefined), apiDocument);

const bodyOf = (document: typeof apiDocument, path: string): JsonSchema | undefined =>
	document.paths[path]?.post?.requestBody?.content[JSON_TYPE]?.schema;

describe('the OpenAPI document', () => {
	test.each(['split', 'single'] as const)(
		'with sign-in layout %s it is valid OpenAPI 3.1',
		async (signInLayout) => {
			const validator = new Validator();
			const copy = structuredClone(openApiDocument({ ...config, signInLayout }));
			const { valid, errors } = await validator.validate(copy as never);
			expect([valid, errors, validator.version]).toEqual([true, undefined, '3.1']);
		}
	);

	test('contains the name, address, cookie and package version of the installation', () => {
		const { info, servers, components } = openApiDocument(config);
		expect(info).toMatchObject({ title: 'Acme API', version: packageJson.version });
		expect(servers.map(({ url }) => url)).toEqual(['https://auth.example.org']);
		expect(components.securitySchemes['cookie']).toMatchObject({ name: '__Host-postern_session' });
		expect(apiDocument.components.securitySchemes['cookie']).toMatchObject({
			name: 'postern_session'
		});
	});

	/** The operations that mention a text. */
	const naming = (text: string): readonly string[] =>
		documentedOperations
			.filter(({ operation }) => JSON.stringify(operation).includes(text))
			.map(({ operation }) => operation.operationId)
			.toSorted();

	test('describes the key of a program where a code is requested or entered, and nowhere else', () => {
		expect(naming('X-Postern-Client')).toEqual([
			'changeEmailByCode',
			'checkCode',
			'requestEmailChange',
			'requestEmailChangeByLink',
			'sendCode',
			'signIn',
			'verifyEmail'
		]);
	});

	test('describes challenges where a code is requested, and nowhere else', () => {
		for (const text of ['CHALLENGE_REQUIRED', 'INVALID_PROOF', 'X-Postern-Proof']) {
			expect(naming(text)).toEqual(['sendCode']);
		}
	});

	test('every reference resolves, and every component is used', () => {
		const references = objectsIn(apiDocument).flatMap(([, { $ref }]) =>
			typeof $ref === 'string' ? [$ref] : []
		);
		expect(references.length).toBeGreaterThan(100);
		for (const reference of references) {
			expect([reference, reference.startsWith('#/')]).toEqual([reference, true]);
			expect([reference, at(reference)]).not.toEqual([reference, undefined]);
		}
		// It applies where there is no operation that could refer to it.
		const unused = new Set(['#/components/responses/MethodNotAllowed']);
		const { securitySchemes: _, ...named } = apiDocument.components;
		for (const [kind, group] of Object.entries(named)) {
			for (const name of Object.keys(group)) {
				const reference = `#/components/${kind}/${name}`;
				expect([reference, references.includes(reference)]).toEqual([
					reference,
					!unused.has(reference)
				]);
			}
		}
	});

	test('every error of both tables is documented with its status, except those of pages only', () => {
		const known = [...Object.entries(outcomes), ...Object.entries(httpErrors)];
		const documented = new Set(
			objectsIn(apiDocument).flatMap(([place, { examples }]) => {
				const status = /\/responses\/(\d{3})\//.exec(place)?.[1];
				return isObject(examples) ? Object.keys(examples).map((code) => `${status} ${code}`) : [];
			})
		);
		for (const [name, { status, code }] of known) {
			if (ONLY_PAGES.includes(name)) continue;
			const elsewhere = text.includes(`"#/components/examples/${code}"`);
			expect([name, documented.has(`${status} ${code}`) || elsewhere]).toEqual([name, true]);
		}
		const codes = known.filter(([name]) => !ONLY_PAGES.includes(name)).map(([, { code }]) => code);
		expect(Object.keys(apiDocument.components.examples).sort()).toEqual([...new Set(codes)].sort());
	});

	test('the two tables of errors share no name, so a name identifies its table', () => {
		const names = [...Object.keys(outcomes), ...Object.keys(httpErrors)];
		expect(new Set(names).size).toBe(names.length);
	});

	test('the fields of an error besides message and code are in its schema and its example', () => {
		const times = { purgeAt: new Date(0), undoUntil: new Date(0) };
		const error = { code: 'account_deleted', ...times, restoreToken: null } as const;
		for (const { code, more } of Object.values(outcomes)) {
			const fields = Object.keys(more?.(error as never) ?? {});
			expect(Object.keys(errorShape.shape)).toEqual(expect.arrayContaining(fields));
			const example = apiDocument.components.examples[code]?.value;
			// Only the endpoint can make a challenge.
			if (code === 'CHALLENGE_REQUIRED') fields.push('challenge');
			if (isObject(example)) expect(Object.keys(example)).toEqual(['message', 'code', ...fields]);
		}
	});

	test('every operation has a unique name, a tag with a description, and a summary', () => {
		expect(documentedOperations.length).toBe(operations.length);
		const ids = documentedOperations.map(({ operation }) => operation.operationId);
		expect(new Set(ids).size).toBe(ids.length);
		for (const { operation } of documentedOperations) {
			expect(operation.operationId).toMatch(/^[a-z][A-Za-z]+$/);
			expect(Object.keys(tags)).toEqual(expect.arrayContaining([...operation.tags]));
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
		let tried = 0;
		for (const one of documentedOperations) {
			const { path, method, operation } = one;
			const content = operation.requestBody?.content[JSON_TYPE];
			if (content !== undefined) {
				const place = ['paths', path, method, 'requestBody', 'content', JSON_TYPE, 'schema'];
				const validate = validatorAt(...place);
				expect([path, validate(content.example) || saysOf(validate)]).toEqual([path, true]);
				tried += 1;
			}
			for (const status of Object.keys(operation.responses).map(Number)) {
				const { response, place } = responseOf(one, status) ?? {};
				const answer = response?.content?.[JSON_TYPE];
				if (answer === undefined || place === undefined) continue;
				const validate = validatorAt(...place, 'content', JSON_TYPE, 'schema');
				const named = Object.keys(answer.examples ?? {}).map(
					(code) => apiDocument.components.examples[code]?.value
				);
				const examples = 'example' in answer ? [answer.example] : named;
				expect([path, status, examples.length > 0]).toEqual([path, status, true]);
				for (const example of examples) {
					const result = validate(example) || saysOf(validate);
					expect([path, status, result]).toEqual([path, status, true]);
					tried += 1;
				}
			}
		}
		expect(tried).toBeGreaterThan(150);
	});

	test('the schema of an answer allows no undescribed field', () => {
		const validate = validatorAt('components', 'schemas', 'User');
		const user = operations.find(({ id }) => id === 'getSession')?.answer.example as {
			user: Record<string, unknown>;
		};
		expect(validate(user.user)).toBe(true);
		expect(validate({ ...user.user, isTrialEligible: true })).toBe(false);
		expect(validate({ ...user.user, createdAt: '2026-11-19T08:30:00Z' })).toBe(false);
		expect(validate({ ...user.user, image: undefined })).toBe(false);
	});

	test('consequences of the shape of an operation are documented', () => {
		const statuses = (path: string): readonly string[] => {
			const { get, post } = apiDocument.paths[path] ?? {};
			return Object.keys((get ?? post)?.responses ?? {});
		};
		expect(statuses('/api/auth/ok')).toEqual(['200', '403', '429', '500', '503']);
		// Without a limit.
		expect(statuses('/api/hello')).toEqual(['200', '401', '403', '500', '503']);
		expect(statuses('/api/auth/update-user')).toEqual([
			'200',
			'400',
			'401',
			'403',
			'413',
			'415',
			'429',
			'500',
			'503'
		]);
		expect(statuses('/api/auth/verify-email')).toEqual(['302', '403', '429', '500', '503']);
		for (const { operation } of documentedOperations) {
			const isOpen = operation.security.some((one) => Object.keys(one).length === 0);
			const needsSession = operation.security.length > 0 && !isOpen;
			expect('401' in operation.responses).toBe(needsSession);
			expect('415' in operation.responses).toBe(operation.requestBody !== undefined);
		}
	});

	test('consent in the sign-in call is documented only with a single entry page', () => {
		const path = '/api/auth/sign-in/email-otp';
		const single = bodyOf(openApiDocument({ ...config, signInLayout: 'single' }), path);
		const split = bodyOf(openApiDocument(config), path);
		expect(Object.keys(single?.properties ?? {})).toContain('marketingOptIn');
		expect(Object.keys(split?.properties ?? {})).toEqual([
			...['email', 'otp', 'name', 'image', 'restore']
		]);
	});

	test('it uses no internal term', () => {
		for (const name of [
			'#lib',
			'$defs',
			'svelte',
			'zod',
			'sqlite',
			'postgres',
			'argon',
			'use-case'
		]) {
			expect([name, text.toLowerCase().includes(name)]).toEqual([name, false]);
		}
		for (const name of Object.keys(outcomes)) expect(text).not.toContain(`"${name}"`);
	});
});
