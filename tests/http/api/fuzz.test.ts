import fc from 'fast-check';
import type { OutgoingHttpHeaders } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
	startBuiltServer,
	TEST_SECRET,
	type BuiltServer
} from '../../support/process/built-server.ts';
import { openBrowser, tokenOf } from '../../support/http/browser.ts';
import { bearer, call, newAddress, rounds, signIn, whoIs } from '../../support/http/client.ts';
import { builtRoutes, pathOf } from '../../support/http/routes.ts';
import { openDatabase } from '../../support/http/database.ts';
import { projectRoot } from '../../support/files/scratch-copy.ts';
import { anyText } from '../../support/domain/any-text.ts';

/** A request as it will be sent; `credential` says whose it is. */
interface Attempt {
	readonly method: string;
	readonly path: string;
	readonly headers: OutgoingHttpHeaders;
	readonly body: string | Buffer | undefined;
	readonly credential: 'nobody' | 'cookie' | 'bearer';
}

/** Every path the build answers to, pages’ form actions included. */
const builtPaths = async (): Promise<readonly string[]> => {
	const paths = (await builtRoutes()).map(({ id }) => pathOf(id));
	const actions = ['', '?/request', '?/verify', '?/resend', '?/default', '?/toString'];
	return paths.flatMap((path) =>
		path.startsWith('/api')
			? [path]
			: [...actions.map((action) => path + action), `${path}/__data.json`]
	);
};

const words = (text: string): string[] => text.split(' ');
const FIELDS = words(
	'email otp code type name image csrf __superform_id redirectTo step token userId disableRefresh __proto__ constructor toString'
);
const HOSTILE = [
	...words('ada@example.com 123456 000000 sign-in \0 % %00 %zz ${7*7} {{7*7}} ../../../etc/passwd'),
	...words(
		'//evil.example javascript:alert(1) null hasOwnProperty NaN 1e309 -0 \ud800 \u202e \ufeff'
	),
	...words('ａｄａ＠example.com a@b@c a@xn-- {"$ne":""} <script>alert(1)</script>'),
	"' or 1=1 --",
	'"; drop table session; --',
	'\r\nset-cookie: x=y',
	'',
	' ',
	'9'.repeat(400),
	'ﷺ'.repeat(50),
	'😀'.repeat(100),
	'x'.repeat(5000),
	`a@${'x.'.repeat(120)}com`
];
const text = fc.oneof(
	{ weight: 4, arbitrary: fc.constantFrom(...HOSTILE) },
	{ weight: 2, arbitrary: anyText({ maxLength: 60 }) },
	{ weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 60 }) }
);
const record = fc.dictionary(fc.constantFrom(...FIELDS), fc.oneof(text, fc.jsonValue()), {
	maxKeys: 6,
	noNullPrototype: true
});
/** `JSON.stringify` leaves `__proto__` out of a literal; here it is a key like any other. */
const jsonBody = fc.oneof(
	{ weight: 4, arbitrary: record.map((value) => JSON.stringify(value)) },
	{ weight: 1, arbitrary: fc.json() },
	{
		weight: 1,
		arbitrary: record.map(
			(value) => `{"__proto__":{"email":"a@b.co"},${JSON.stringify(value).slice(1)}`
		)
	},
	{ weight: 1, arbitrary: record.map((value) => JSON.stringify(value).slice(0, -1)) },
	{ weight: 1, arbitrary: fc.integer({ min: 1, max: 5000 }).map((deep) => '['.repeat(deep)) }
);
const encoded = (value: string): string =>
	encodeURIComponent(value.replace(/\p{Surrogate}/gu, '\ufffd'));
const pairs = fc.array(fc.tuple(fc.constantFrom(...FIELDS), text), { maxLength: 6 });
const formBody = pairs.map((fields) =>
	fields.map(([name, value]) => `${name}=${encoded(value)}`).join('&')
);
const multipart = pairs.map((fields) =>
	fields
		.map(
			([name, value]) =>
				`--x\r\ncontent-disposition: form-data; name="${name}"${value.length % 3 === 0 ? '; filename="f"' : ''}\r\n\r\n${value}\r\n`
		)
		.concat('--x--\r\n')
		.join('')
);
const noise = fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes));

const JSON_TYPE = 'application/json';
const FORM_TYPE = 'application/x-www-form-urlencoded';
const MULTIPART = 'multipart/form-data; boundary=x';
const TYPES = [
	JSON_TYPE,
	FORM_TYPE,
	MULTIPART,
	'application/json; charset=utf-16',
	'a'.repeat(3000),
	...words(
		'text/plain multipart/form-data application/x-sveltekit-formdata application/xml x , ;;;'
	)
];
type Body = readonly [string | undefined, string | Buffer | undefined];
const body: fc.Arbitrary<Body> = fc.oneof(
	{ weight: 5, arbitrary: fc.tuple(fc.constant(JSON_TYPE), jsonBody) },
	{ weight: 5, arbitrary: fc.tuple(fc.constant(FORM_TYPE), formBody) },
	{ weight: 2, arbitrary: fc.tuple(fc.constant(MULTIPART), multipart) },
	{
		weight: 3,
		arbitrary: fc.tuple(fc.constantFrom(...TYPES), fc.oneof(jsonBody, formBody, multipart, noise))
	},
	{ weight: 2, arbitrary: fc.constant([undefined, undefined] as const) }
);

/** Node refuses to send some characters in a header; what is left is hostile enough. */
const headerValue = text.map((value) =>
	[...value]
		.map((character) => String.fromCharCode((character.codePointAt(0) ?? 0) & 0xff))
		.join('')
		.replace(/[\0-\x08\x0a-\x1f\x7f]/g, '')
		.slice(0, 3000)
);
const HEADERS = [
	...words('accept accept-language accept-encoding user-agent referer x-forwarded-for x-real-ip'),
	...words('x-forwarded-host x-forwarded-proto forwarded x-http-method-override x-request-id'),
	...words('x-sveltekit-action x-sveltekit-error x-sveltekit-invalidated x-sveltekit-pathname'),
	...words('x-sveltekit-search x-postern-protocol range if-none-match if-modified-since purpose'),
	...words('authorization sec-fetch-site sec-fetch-mode expo-origin origin content-encoding'),
	...words('access-control-request-method priority')
];
const headers = fc.dictionary(fc.constantFrom(...HEADERS), headerValue, {
	maxKeys: 4,
	noNullPrototype: true
});
const METHODS = words(
	'GET GET POST POST POST POST HEAD PUT PATCH DELETE OPTIONS PROPFIND QUERY SEARCH REPORT LOCK'
);
const segment = text.map((value) => encoded(value).slice(0, 2000));

const attempts = (paths: readonly string[]): fc.Arbitrary<Attempt> =>
	fc
		.record({
			method: fc.constantFrom(...METHODS),
			path: fc.constantFrom(...paths),
			tail: fc.oneof({ weight: 5, arbitrary: fc.constant('') }, segment),
			query: fc.oneof({ weight: 2, arbitrary: fc.constant('') }, formBody),
			headers,
			body,
			credential: fc.constantFrom('nobody' as const, 'cookie' as const, 'bearer' as const)
		})
		.map(({ method, path, tail, query, headers, body: [type, content], credential }) => {
			const [place = '', action] = path.split('?', 2);
			const search = [action, query].filter((part) => part).join('&');
			return {
				method,
				path: `${place}${tail === '' ? '' : `/${tail}`}${search === '' ? '' : `?${search}`}`,
				headers: { ...headers, ...(type === undefined ? {} : { 'content-type': type }) },
				body: method === 'GET' || method === 'HEAD' ? undefined : content,
				credential
			};
		});

const LEAKS =
	/node_modules|\bat [^\n]{0,200}:\d+:\d+|SQLITE|sqlite3|\bselect [^<]{0,80} from |\binsert into |ECONN(?:REFUSED|RESET|ABORTED|ECTION)|TypeError|RangeError|SyntaxError/;

let server: BuiltServer;
let paths: readonly string[];
beforeAll(async () => {
	server = await startBuiltServer();
	paths = await builtPaths();
});
afterAll(() => server.stop());

test('O01 O02 O05 O07 N11 for any input to any endpoint or form, the answer is clean and the server stays up', async () => {
	const user = await signIn(server);
	const browser = openBrowser(server);
	const csrf = tokenOf((await browser.open('/auth/sign-in')).text) ?? '';
	const own = { cookie: `${user.cookie}; ${browser.cookies()}`, origin: server.address };
	expect(paths.length).toBeGreaterThan(20);
	const statuses = new Set<number>();

	await fc.assert(
		fc.asyncProperty(attempts(paths), async ({ method, path, headers, body, credential }) => {
			// Half of the forms have a token: without one, no form passes the check of tokens.
			const isForm = headers['content-type'] === FORM_TYPE && typeof body === 'string';
			const filled = isForm && !body.includes('csrf') ? `csrf=${csrf}&${body}` : body;
			const who =
				credential === 'nobody'
					? {}
					: credential === 'cookie'
						? { ...own, ...headers, cookie: own.cookie }
						: { ...headers, ...bearer(user.token) };
			// Signing the user out, or deleting the account, would leave no signed-in state to fuzz.
			const isOut = /sign-out|revoke-|delete-user/.test(path);
			const answer = await call(server, path, {
				method,
				headers: { ...headers, ...(isOut ? {} : who) },
				...(filled === undefined ? {} : { body: filled })
			});
			statuses.add(answer.status);
			expect(answer.status).toBeLessThan(500);
			// Only the API reference and its document are longer.
			const isReference = path.startsWith('/api/auth/openapi.json');
			expect(answer.text.length).toBeLessThan(isReference ? 400_000 : 100_000);
			expect(answer.text).not.toMatch(LEAKS);
			for (const secret of [TEST_SECRET, projectRoot.slice(0, -1), user.token]) {
				expect(answer.text).not.toContain(secret);
			}
			expect(answer.headers['x-content-type-options']).toBe('nosniff');
			if (method !== 'HEAD' && answer.status >= 400 && /^\/+api\//.test(path)) {
				expect(answer.text.length).toBeLessThan(1024);
				expect(answer.json()).toMatchObject({ message: expect.any(String) });
			}
		}),
		{
			numRuns: rounds(300, 20_000),
			// On failure, reports the seed and the shrunk request.
			verbose: 1,
			interruptAfterTimeLimit: rounds(45_000, 540_000),
			markInterruptAsFailure: true
		}
	);

	// Requests passed the checks before the handlers, with more than one kind of response.
	expect(statuses.size).toBeGreaterThan(4);
	expect((await call(server, '/api/auth/ok')).json()).toEqual({ ok: true });
	expect(await whoIs(server, bearer(user.token))).toBe(user.email);
	expect(({} as Record<string, unknown>)['email']).toBeUndefined();
	const database = openDatabase(server.databaseUrl);
	const [check] = await database.rows('pragma integrity_check');
	const users = await database.rows('select email from "user"');
	await database.close();
	expect(check).toEqual({ integrity_check: 'ok' });
	expect(users).toEqual([{ email: user.email }]);
	expect(server.output()).not.toMatch(/uncaught exception|unhandled rejection|"where":"request"/);
	await signIn(server, newAddress());
});
