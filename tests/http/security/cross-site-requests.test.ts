import type { OutgoingHttpHeaders } from 'node:http';
import { beforeAll, describe, expect, test } from 'vitest';
import { startBuiltServer } from '../../support/process/built-server.ts';
import { formsOf, openBrowser, textOf, tokenOf } from '../../support/http/browser.ts';
import {
	bearer,
	call,
	exchange,
	freshCode,
	inBatches,
	newAddress,
	signIn,
	verifyCode,
	whoIs,
	API,
	OUT,
	SEND,
	VERIFY,
	type Answer,
	sampled
} from '../../support/http/client.ts';
import { factsIn } from '../../support/http/database.ts';
import { builtChanges, builtRoutes, pathOf, type Change } from '../../support/http/routes.ts';
import { onOneServer, present } from '../../support/http/fixtures.ts';
import { makeOperator } from '../../support/http/account.ts';
import { PROTECTED_ROUTES } from './every-route.ts';

const TRUSTED = 'https://app.example.com';
const EVIL = 'https://evil.example';
const SESSION = 'postern_session';
const BROWSER = 'postern_browser';
const INVALID = { message: 'Invalid origin', code: 'INVALID_ORIGIN' };
const MISSING = { message: 'Missing or null Origin', code: 'MISSING_OR_NULL_ORIGIN' };
const STALE = 'This form has expired';
const NO_COOKIE = 'allow cookies for this site';
const FOREIGN_FORM = 'This form was sent from another site';

const SOURCES = {
	trusted: { origin: TRUSTED },
	'a trusted Referer': { referer: `${TRUSTED}/some/page?x=1#y` },
	'trusted, although cross-site': { origin: TRUSTED, 'sec-fetch-site': 'cross-site' },
	foreign: { origin: EVIL },
	'foreign beside a trusted Referer': { origin: EVIL, referer: `${TRUSTED}/` },
	'a foreign Referer': { referer: `${EVIL}/${TRUSTED}/` },
	'cross-site by the browser’s word': { 'sec-fetch-site': 'cross-site' },
	null: { origin: 'null' },
	'null beside a trusted Referer': { origin: 'null', referer: `${TRUSTED}/` },
	missing: {}
} as const satisfies Record<string, OutgoingHttpHeaders>;
type Source = keyof typeof SOURCES;

const CREDENTIALS = ['cookie', 'bearer', 'both', 'cookie and a bad bearer', 'neither'] as const;
type Credential = (typeof CREDENTIALS)[number];

const ONE_CLICK = '/api/unsubscribe/no-such-thing';
/** Endpoints that take a form: email apps send one (RFC 8058), and a download is no form action. */
const FORM_ENDPOINTS = [ONE_CLICK, '/settings/export'];
/** These act on no session, so a cookie is no credential there. */
const SESSIONLESS = [
	SEND,
	VERIFY,
	...['check-verification-otp', 'verify-email'].map((name) => `${API}/email-otp/${name}`),
	ONE_CLICK
];
/**
 * These forms appear only with a restore grant, a link, a reference or a single entry.
 */
const CONDITIONAL_PAGES = [
	'/auth/account-deleted',
	'/auth/verify-email',
	'/checkout/success',
	'/auth/login',
	...['/unsubscribe', '/auth/new-device', '/auth/undo-email-change'].map(
		(path) => `${path}/no-such-thing`
	)
];

/** The rules of the origin check in one place: the reason for a refusal, or null. */
const refusalOf = (source: Source, credential: Credential, { path }: Change) => {
	if (source.startsWith('null')) return MISSING;
	if (/foreign|^cross-site/.test(source)) return INVALID;
	if (source !== 'missing' || SESSIONLESS.includes(path)) return null;
	return credential.startsWith('cookie') ? MISSING : null;
};

const URLENCODED = 'application/x-www-form-urlencoded';
const BOUNDARY = '----FormBoundary0123456789abcdef';
const MULTIPART = `multipart/form-data; boundary=${BOUNDARY}`;
type ContentType = string | null;
const CONTENT_TYPES: readonly ContentType[] = [
	'application/json',
	URLENCODED,
	MULTIPART,
	'text/plain',
	null
];

const FORM_IDS: Readonly<Record<string, string>> = { request: 'email', verify: 'code' };

/** Valid input for every endpoint and form, so that each would succeed if the origin check allowed it. */
const fieldsFor = ({ action }: Change, email: string, csrf: string): Record<string, string> => ({
	email,
	newEmail: email,
	otp: '123456',
	code: '123456',
	name: 'Mallory',
	token: 'x',
	csrf,
	...(action === null ? { type: 'sign-in' } : { __superform_id: FORM_IDS[action] ?? action })
});

const encoded = (fields: Readonly<Record<string, string>>, type: ContentType): string => {
	if (type === URLENCODED) return new URLSearchParams(fields).toString();
	if (type !== MULTIPART) return JSON.stringify(fields);
	const parts = Object.entries(fields).map(
		([name, value]) =>
			`--${BOUNDARY}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
	);
	return `${parts.join('')}--${BOUNDARY}--\r\n`;
};

/** Programs get the reason, people a page that says what to do instead. */
const isRefusedAs = ({ status, text }: Answer, { kind }: Change, refusal: object): boolean =>
	status === 403 &&
	(kind === 'endpoint' ? text === JSON.stringify(refusal) : textOf(text).includes(FOREIGN_FORM));
const isOriginRefusal = (answer: Answer, change: Change): boolean =>
	[INVALID, MISSING].some((refusal) => isRefusedAs(answer, change, refusal));

onOneServer(
	(fixture) => {
		let changes: readonly Change[] = [];
		/** A code key, and a token that a page gave with it. */
		let key = '';
		let csrf = '';

		beforeAll(async () => {
			changes = await builtChanges();
			const browser = openBrowser(fixture.server);
			csrf = present(tokenOf((await browser.open('/auth/sign-in')).text));
			key = present(browser.cookie(BROWSER));
		});

		const credentials = (kind: Credential, token: string): OutgoingHttpHeaders => ({
			cookie: `${BROWSER}=${key}${/cookie|both/.test(kind) ? `; ${SESSION}=${token}` : ''}`,
			...(kind === 'bearer' || kind === 'both' ? bearer(token) : {}),
			...(kind === 'cookie and a bad bearer' ? bearer('A'.repeat(43)) : {})
		});
		const make = (
			change: Change,
			headers: OutgoingHttpHeaders,
			type: ContentType,
			email: string,
			token = csrf
		): Promise<Answer> =>
			call(fixture.server, change.path, {
				method: change.method,
				body: encoded(fieldsFor(change, email, token), type),
				headers: {
					...(change.kind === 'form' ? { accept: 'text/html' } : {}),
					...(type === null ? {} : { 'content-type': type }),
					...headers
				}
			});
		const expectNoMailTo = async (email: string): Promise<void> => {
			await freshCode(fixture.server, newAddress());
			expect(fixture.server.codesSentTo(email)).toBe(0);
		};
		const takesForm = ({ kind, path }: Change): boolean =>
			kind === 'form' || FORM_ENDPOINTS.includes(path);
		const formType = (change: Change): ContentType =>
			takesForm(change) ? URLENCODED : 'application/json';

		test('F01 F02 F03 F04 F08 F12 F13 E18 the origin check refuses each forbidden request with its own reason, at every endpoint and form, with every credential and content type, and nothing changes (CVE-2023-29003, GHSA-5p75-vc5g-8rv2, CVE-2023-29008, GHSA-gv7g-x59x-wf8f, sveltejs/kit#16347)', async () => {
			const paths = changes.map(({ path }) => path);
			expect(paths).toEqual(expect.arrayContaining([SEND, VERIFY, OUT, '/auth/sign-in?/verify']));
			const { token } = await signIn(fixture.server);
			const victim = newAddress('victim');
			const all = changes.flatMap((change) =>
				(Object.keys(SOURCES) as Source[]).flatMap((source) =>
					CREDENTIALS.flatMap((credential) => {
						const refusal = refusalOf(source, credential, change);
						if (refusal === null) return [];
						return CONTENT_TYPES.map((type) => ({ change, source, credential, type, refusal }));
					})
				)
			);
			expect(all.length).toBeGreaterThan(changes.length * 100);
			const refused = sampled(all, 47);
			const before = await factsIn(fixture.database);
			const answers = await inBatches(refused, 50, ({ change, source, credential, type }) =>
				make(change, { ...SOURCES[source], ...credentials(credential, token) }, type, victim)
			);
			const wrong = answers.flatMap((answer, i) => {
				const { change, source, credential, type, refusal } = present(refused[i]);
				const isRight =
					isRefusedAs(answer, change, refusal) &&
					answer.setCookies.length === 0 &&
					/Origin, Sec-Fetch-Site/.test(answer.headers.vary ?? '');
				if (isRight) return [];
				return [
					{ path: change.path, source, credential, type, got: answer.status, text: answer.text }
				];
			});
			expect(wrong).toEqual([]);
			expect(await factsIn(fixture.database)).toEqual(before);
			await expectNoMailTo(victim);
			expect(await whoIs(fixture.server, bearer(token))).not.toBeNull();
		});

		test('F01 F03 F04 F12 the origin check allows each permitted request, at every endpoint and form and with every credential', async () => {
			const all = changes.flatMap((change) =>
				(Object.keys(SOURCES) as Source[]).flatMap((source) =>
					CREDENTIALS.filter((credential) => refusalOf(source, credential, change) === null).map(
						(credential) => ({ change, source, credential })
					)
				)
			);
			const let_in = sampled(all, 11);
			// A permitted request may end its session.
			const ends = /out|revoke|delete|end|switch/i;
			const shared = await signIn(fixture.server);
			const answers = await inBatches(let_in, 25, async ({ change, source, credential }) => {
				const { token } = ends.test(change.path) ? await signIn(fixture.server) : shared;
				const headers = { ...SOURCES[source], ...credentials(credential, token) };
				return make(change, headers, formType(change), newAddress('let-in'));
			});
			const stopped = answers.flatMap((answer, i) => {
				const { change, source, credential } = present(let_in[i]);
				const isIn = answer.status !== 403 && answer.status < 500;
				return isIn ? [] : [{ path: change.path, source, credential, text: answer.text }];
			});
			expect(stopped).toEqual([]);
		});

		test('F08 no other content type has an effect at any endpoint or form, also from a trusted origin', async () => {
			const victim = newAddress('victim');
			const plain = { cookie: `${BROWSER}=${key}`, origin: TRUSTED };
			const all = changes.flatMap((change) => {
				const own = takesForm(change) ? [URLENCODED, MULTIPART] : ['application/json'];
				return CONTENT_TYPES.filter((type) => type === null || !own.includes(type)).map((type) => ({
					change,
					type
				}));
			});
			for (const { change, type } of sampled(all, 2)) {
				const answer = await make(change, plain, type, victim);
				expect([isOriginRefusal(answer, change), change.path]).toEqual([false, change.path]);
				if (change.kind === 'form') {
					// A request that is not a form gets as far as the guard of a protected page.
					const refused = PROTECTED_ROUTES.includes(change.route) ? 303 : 415;
					const expected = type === 'text/plain' ? 403 : refused;
					expect([answer.status, change.path, type]).toEqual([expected, change.path, type]);
				} else if (answer.status !== 415 && answer.status !== 403) {
					// It has no body, so the content type does not matter.
					const usual = await make(change, plain, formType(change), newAddress());
					expect([answer.status, answer.text]).toEqual([usual.status, usual.text]);
				}
			}
			await expectNoMailTo(victim);
		});

		test('F05 two Origin headers never pass, in either order', async () => {
			const { token } = await signIn(fixture.server);
			for (const origins of [
				[TRUSTED, EVIL],
				[EVIL, TRUSTED],
				[TRUSTED, TRUSTED]
			]) {
				const received = await exchange(
					fixture.server,
					[
						`POST ${OUT} HTTP/1.1`,
						'host: x',
						`cookie: ${SESSION}=${token}`,
						...origins.map((origin) => `origin: ${origin}`),
						'content-length: 0',
						'connection: close\r\n\r\n'
					].join('\r\n')
				);
				expect([received.split('\r\n', 1)[0], origins]).toEqual([
					expect.stringMatching(/^HTTP\/1\.1 40[03]/),
					origins
				]);
			}
		});

		test('F09 no other method, override, data address or action name reaches a handler without the origin check', async () => {
			const { token } = await signIn(fixture.server);
			const victim = newAddress('victim');
			const before = await factsIn(fixture.database);
			const cookie = `${BROWSER}=${key}; ${SESSION}=${token}`;
			const overrides = {
				'x-http-method-override': 'POST',
				'x-method-override': 'POST',
				'x-http-method': 'POST',
				'x-sveltekit-action': 'true'
			};
			const attempts = changes.flatMap((change) => {
				const [path = '', query = ''] = change.path.split('?');
				const fields = fieldsFor(change, victim, csrf);
				const names = new URLSearchParams(fields).toString();
				const more = query === '' ? '' : `${query}&`;
				return [
					...['GET', 'HEAD'].flatMap((method) =>
						[`?${more}${names}`, `?_method=${change.method}&${more}${names}`].map((tail) => ({
							method,
							path: path + tail,
							headers: { cookie, ...overrides },
							body: undefined
						}))
					),
					...['/__data.json', '/__route.js', '/'].map((tail) => ({
						method: 'POST',
						path: `${path}${tail}?${more}x`,
						body: encoded(fields, URLENCODED),
						headers: { cookie, origin: EVIL, 'content-type': URLENCODED, ...overrides }
					})),
					...['PUT', 'PATCH', 'DELETE', 'QUERY'].map((method) => ({
						method,
						path: change.path,
						body: encoded(fields, formType(change)),
						headers: { cookie, origin: EVIL, 'content-type': String(formType(change)) }
					}))
				];
			});
			const remote = ['/_app/remote/x/y', '/_app/remote/abc/sendCode?payload=x'].map((path) => ({
				method: 'POST',
				path,
				headers: { cookie, origin: EVIL },
				body: '{}'
			}));
			await inBatches([...sampled(attempts, 4), ...remote], 50, ({ method, path, headers, body }) =>
				call(fixture.server, path, { method, headers, ...(body === undefined ? {} : { body }) })
			);
			expect(await factsIn(fixture.database)).toEqual(before);
			await expectNoMailTo(victim);
			expect(await whoIs(fixture.server, { cookie })).not.toBeNull();
		});

		test('F10 reading any route in any spelling, signed in or not, changes nothing in the database', async () => {
			const { token } = await signIn(fixture.server);
			const waiting = openBrowser(fixture.server);
			await waiting.post('/auth/sign-in?/request', {
				email: newAddress(),
				__superform_id: 'email'
			});
			const cookies = `${SESSION}=${token}; ${BROWSER}=${present(waiting.cookie(BROWSER))}`;
			const victim = newAddress('victim');
			const paths = (await builtRoutes()).map(({ id }) => pathOf(id));
			const query = new URLSearchParams({ email: victim, otp: '123456', token }).toString();
			const all = [...new Set([...paths, '/favicon.svg', '/no-such-page'])].flatMap((path) =>
				[
					path,
					`${path}?${query}`,
					`${path}?/request&${query}`,
					`${path}/__data.json?/verify`
				].flatMap((spelled) =>
					[{}, { cookie: cookies }, bearer(token)].flatMap((headers) =>
						['GET', 'HEAD', 'OPTIONS'].map((method) => ({
							path: spelled.replace('//__', '/__'),
							method,
							headers
						}))
					)
				)
			);
			const requests = sampled(all, 13);
			const before = await factsIn(fixture.database);
			const answers = await inBatches(requests, 50, ({ path, method, headers }) =>
				call(fixture.server, path, { method, headers })
			);
			expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
			expect(await factsIn(fixture.database)).toEqual(before);
			await expectNoMailTo(victim);
		});

		test('F14 the server uses its configured address, whatever host and scheme a request claims (GHSA-3529-5m8x-rpv3, GHSA-569q-mpph-wgww)', async () => {
			const spoofed = {
				host: 'evil.example',
				'x-forwarded-host': 'evil.example',
				'x-forwarded-proto': 'https',
				'x-forwarded-port': '444',
				forwarded: 'host=evil.example;proto=https',
				'x-postern-protocol': 'https',
				'x-original-url': '/api/auth/ok'
			};
			const change = present(changes.find(({ path }) => path === '/auth/sign-up?/request'));
			const email = newAddress();
			const own = { ...spoofed, cookie: `${BROWSER}=${key}` };
			for (const origin of [EVIL, `${EVIL}:444`]) {
				const refused = await make(change, { ...own, origin }, URLENCODED, email);
				expect(isOriginRefusal(refused, change)).toBe(true);
			}
			const { address } = fixture.server;
			const done = await make(change, { ...own, origin: address }, URLENCODED, email);
			expect([done.status, done.headers.location]).toEqual([303, '/auth/sign-up']);
			expect(JSON.stringify(done.headers)).not.toMatch(/evil|secure/i);
			const code = await freshCode(fixture.server, email, spoofed);
			const signedIn = await verifyCode(fixture.server, email, code, spoofed);
			expect(signedIn.setCookies.join()).not.toMatch(/secure|domain/i);
			const page = await call(fixture.server, '/app', { headers: spoofed });
			expect(page.headers.location).toBe('/auth/sign-in?redirectTo=%2Fapp');
			for (const path of ['/auth/sign-in', '/no-such', '/auth/no-such']) {
				const { text, headers } = await call(fixture.server, path, { headers: spoofed });
				expect(text + JSON.stringify(headers)).not.toContain('evil.example');
			}
		});

		describe('the token of a form', () => {
			const post = (
				change: Change,
				fields: Readonly<Record<string, string>>,
				headers: OutgoingHttpHeaders,
				type: ContentType = URLENCODED
			): Promise<Answer> =>
				call(fixture.server, change.path, {
					method: 'POST',
					body: encoded(fields, type),
					headers: {
						origin: TRUSTED,
						accept: 'text/html',
						'content-type': String(type),
						...headers
					}
				});

			test('is in every form of every page with actions', async () => {
				const { token, email } = await signIn(fixture.server);
				await makeOperator(fixture, email);
				const other = await signIn(fixture.server);
				const [account] = await fixture.database.rows(
					`select id from "user" where email = '${other.email}'`
				);
				const pages = changes
					.filter(({ kind }) => kind === 'form')
					.map(({ path }) => path.split('?')[0] ?? '')
					.map((path) =>
						path.replace('accounts/no-such-thing', `accounts/${String(account?.['id'])}`)
					);
				for (const page of new Set(pages)) {
					const cookie = `${BROWSER}=${key}`;
					const shown = [
						await call(fixture.server, page, { headers: { cookie } }),
						await call(fixture.server, page, {
							headers: { cookie: `${cookie}; ${SESSION}=${token}` }
						})
					].filter(({ status }) => status === 200);
					const forms = shown.flatMap(({ text }) => formsOf(text, page));
					const isShown = forms.length > 0 || CONDITIONAL_PAGES.includes(page);
					expect([isShown, page]).toEqual([true, page]);
					for (const { fields, action } of forms) {
						expect([fields['csrf'], action]).toEqual([
							expect.stringMatching(/^[0-9a-f]{32}\.[\w-]{43}$/),
							action
						]);
					}
				}
			});

			test('F01 missing, of another browser, changed, or without its cookie: every form is refused with a plain message, does nothing and sends no email', async () => {
				const other = openBrowser(fixture.server);
				const foreign = present(tokenOf((await other.open('/auth/sign-up')).text));
				const otherKey = present(other.cookie(BROWSER));
				const { token } = await signIn(fixture.server);
				const victim = newAddress('victim');
				const before = await factsIn(fixture.database);
				const [, signature = ''] = csrf.split('.');
				const mine = `${BROWSER}=${key}; ${SESSION}=${token}`;
				const tried: readonly (readonly [string, string | null, string])[] = [
					['missing', null, mine],
					['of another browser', foreign, mine],
					['after the cookie changed', csrf, `${BROWSER}=${otherKey}; ${SESSION}=${token}`],
					['without a cookie', csrf, `${SESSION}=${token}`],
					['with two cookies', csrf, `${mine}; ${BROWSER}=${otherKey}`],
					['another nonce', `${'0'.repeat(32)}.${signature}`, mine]
				];
				const all = changes
					.filter(({ kind }) => kind === 'form')
					.flatMap((change) =>
						tried.flatMap(([what, value, cookie]) =>
							[URLENCODED, MULTIPART].map((type) => ({ change, what, value, cookie, type }))
						)
					);
				for (const { change, what, value, cookie, type } of sampled(all, 5)) {
					const { csrf: _, ...rest } = fieldsFor(change, victim, '');
					const fields = value === null ? rest : { ...rest, csrf: value };
					const page = await post(change, fields, { cookie }, type);
					expect([page.status, page.headers['content-type'], what, change.path]).toEqual([
						403,
						'text/html; charset=utf-8',
						what,
						change.path
					]);
					const hasCookie = !/without a cookie|two cookies/.test(what);
					expect(textOf(page.text)).toContain(hasCookie ? STALE : NO_COOKIE);
					expect(page.setCookies).toEqual([]);
					expect(page.headers['cache-control']).toContain('no-store');
				}
				expect(await factsIn(fixture.database)).toEqual(before);
				await expectNoMailTo(victim);
			});
		});
	},
	{ AUTH_TRUSTED_ORIGINS: TRUSTED, ADMIN: 'on' }
);

test('F11 with NODE_ENV=development the origin check of a production build refuses the same as without (sveltejs/kit#16313)', async () => {
	const server = await startBuiltServer({ env: { NODE_ENV: 'development' } });
	const victim = newAddress('victim');
	const all = (await builtChanges()).flatMap((change) =>
		CONTENT_TYPES.map((type) => ({ change, type }))
	);
	for (const { change, type } of sampled(all, 11)) {
		const answer = await call(server, change.path, {
			method: change.method,
			body: encoded(fieldsFor(change, victim, 'x'), type),
			headers: { ...SOURCES.foreign, ...(type === null ? {} : { 'content-type': type }) }
		});
		expect([answer.status, change.path, type]).toEqual([403, change.path, type]);
	}
	await freshCode(server, newAddress());
	expect(server.codesSentTo(victim)).toBe(0);
	await server.stop();
});
