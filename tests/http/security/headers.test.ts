import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { messages } from '#lib/messages/messages.ts';
import { startBuiltServer, type BuiltServer } from '../../support/process/built-server.ts';
import { openBrowser, textOf } from '../../support/http/browser.ts';
import {
	call,
	freshCode,
	newAddress,
	pairOf,
	sendCode,
	signIn,
	times,
	verifyCode,
	whoIs,
	API,
	ME,
	OUT,
	SEND,
	type Answer
} from '../../support/http/client.ts';
import { openDatabase } from '../../support/http/database.ts';
import { onOneServer, present } from '../../support/http/fixtures.ts';

const WEB = ['https://app.example.com', 'https://shop.example.com:8443'];
const TRUSTED = [...WEB, 'myapp://home'];
const HTTPS = 'https://auth.example.test';
const FORM = 'application/x-www-form-urlencoded';
const YEAR = 31_536_000;

/** The kind of an answer, by its headers: it decides which headers the answer must have. */
type Kind = 'page' | 'plain page' | 'api' | 'redirect' | 'asset' | 'file' | 'missing' | 'other';
interface Seen {
	readonly name: string;
	readonly kind: Kind;
	readonly status: number;
	readonly answer: Answer;
}

const directivesOf = ({ headers }: Answer): Readonly<Record<string, string>> =>
	Object.fromEntries(
		String(headers['content-security-policy'])
			.split(';')
			.map((part) => part.trim().split(/\s+(.*)/s))
			.map(([name = '', value = '']) => [name, value])
	);
const nonceOf = (answer: Answer): string =>
	present(/'nonce-([^']+)'/.exec(directivesOf(answer)['script-src'] ?? ''))[1] ?? '';

/** One answer of every kind. The last requests break the storage. */
const everything = async (server: BuiltServer, origin: string): Promise<readonly Seen[]> => {
	const seen: Seen[] = [];
	type See = (name: string, kind: Kind, status: number, answer: Promise<Answer>) => Promise<Answer>;
	const see: See = async (name, kind, status, answer) => {
		seen.push({ name, kind, status, answer: await answer });
		return answer;
	};
	const person = await signIn(server);
	const { cookie } = person;
	const own = { cookie, accept: 'text/html' };
	const get = (path: string, headers = {}): Promise<Answer> =>
		call(server, path, { headers: { accept: 'text/html', ...headers } });
	const post = (path: string, body: string, headers = {}): Promise<Answer> =>
		call(server, path, {
			method: 'POST',
			body,
			headers: { accept: 'text/html', 'content-type': FORM, origin, ...headers }
		});

	await see('home', 'page', 200, get('/'));
	const entry = await see('sign-in', 'page', 200, get('/auth/sign-in'));
	await see('app', 'page', 200, get('/app', own));
	await see('404 signed out', 'page', 404, get('/auth/no-such'));
	await see('404 signed in', 'page', 404, get('/no-such', own));
	const form = (action: string, fields = ''): Promise<Answer> =>
		post(`/auth/sign-in?/${action}`, `${tokenBody(entry)}${fields}`, browserOf(entry));
	await see('an unknown form action', 'page', 404, form('nope'));
	await see('a form that is not valid', 'page', 400, form('request', '&email=x'));
	const json = { 'content-type': 'application/json' };
	await see('a form of another type', 'page', 415, post('/auth/sign-in?/request', '{}', json));
	await see('data of a page', 'other', 200, get('/auth/sign-in/__data.json'));

	await see('a malformed path', 'plain page', 400, get('/%zz'));
	await see('a form without its token', 'plain page', 403, post('/auth/sign-in?/request', 'x=1'));
	const client = { 'x-forwarded-for': '203.0.113.200' };
	await Promise.all(times(20, () => sendCode(server, newAddress(), client)));
	await see('a form too often', 'plain page', 429, post('/auth/sign-in?/request', 'x=1', client));

	await see('led to sign in', 'redirect', 303, get('/app'));
	await see('a trailing slash', 'redirect', 308, get('/auth/sign-in/'));
	const email = newAddress();
	await see('a form that leads on', 'redirect', 303, form('request', `&email=${email}`));
	const code = await server.codeFor(email);
	const fields = `&email=${email}&code=${code}`;
	await see('a code entered in a form', 'redirect', 303, form('verify', fields));

	await see('ok', 'api', 200, call(server, `${API}/ok`));
	await see('unauthorized', 'api', 401, call(server, '/api/hello'));
	await see('another method', 'api', 405, call(server, ME, { method: 'PUT' }));
	await see('a malformed path below the API', 'api', 400, call(server, `${API}/%zz`));
	const foreign = { json: {}, headers: { origin: 'https://evil.example' } };
	await see('a foreign origin', 'api', 403, call(server, OUT, foreign));
	await see(
		'no JSON',
		'api',
		400,
		call(server, SEND, { method: 'POST', body: '{', headers: json })
	);
	await see('another type', 'api', 415, call(server, SEND, { method: 'POST', body: '{' }));
	await see('too large', 'api', 413, call(server, SEND, { json: { email: 'x'.repeat(70_000) } }));
	await see('too often', 'api', 429, sendCode(server, newAddress(), client));
	const other = newAddress();
	await see('signed in', 'api', 200, verifyCode(server, other, await freshCode(server, other)));
	const preflight = { origin: present(WEB[0]), 'access-control-request-method': 'POST' };
	await see(
		'a preflight',
		'other',
		204,
		call(server, SEND, { method: 'OPTIONS', headers: preflight })
	);

	for (const path of assetsOf(entry)) await see(path, 'asset', 200, get(path));
	const hashed = present(assetsOf(entry)[0]);
	const tag = String((await get(hashed)).headers.etag);
	await see('an asset that is known', 'asset', 304, get(hashed, { 'if-none-match': tag }));
	for (const path of ['/favicon.svg', '/plain-page.css', '/mail-logo.png']) {
		await see(path, 'file', 200, get(path));
	}
	for (const path of ['/_app/immutable/no-such.js', '/_app/no-such.css', `${hashed}x`]) {
		await see(path, 'missing', 404, get(path));
	}

	const database = openDatabase(server.databaseUrl);
	await database.rows('alter table session rename to session_gone');
	await see('a page without its database', 'plain page', 503, get('/app', own));
	const data = await see('data without its database', 'other', 503, get('/app/__data.json', own));
	expect(data.json()).toEqual({ status: 503, message: messages.faults.unavailable });
	const dots = get('/auth/%2e%2e/app', own);
	const page = await see('a path with dots without its database', 'plain page', 503, dots);
	expect(textOf(page.text)).toContain('The service is unavailable right now');
	expect(page.text).not.toMatch(/\bat .+:\d+:\d+|node_modules|SQLITE|session_gone|select /i);
	await see('the API without its database', 'api', 503, call(server, ME, { headers: { cookie } }));
	await database.rows('alter table session_gone rename to session');
	await database.close();
	return seen;
};

const tokenBody = (page: Answer): string =>
	`csrf=${/name="csrf"[^>]*value="([^"]+)"/.exec(page.text)?.[1] ?? ''}`;
const browserOf = (page: Answer): { cookie: string } => ({
	cookie: page.setCookies.map((line) => pairOf(line).join('=')).join('; ')
});
const assetsOf = (page: Answer): readonly string[] => [
	...new Set(
		[...page.text.matchAll(/[\w./-]*\/?_app\/immutable\/[\w./-]+\.(?:js|css)/g)].map(([path]) =>
			path.replace(/^.*?_app/, '/_app')
		)
	)
];

/** Files name no charset: the pages that load them declare UTF-8. */
const typeOf = (path: string): RegExp => {
	const types = {
		js: 'text/javascript',
		css: 'text/css',
		svg: 'image/svg\\+xml',
		png: 'image/png'
	};
	const [, ending = ''] = /\.(\w+)$/.exec(path) ?? [];
	return new RegExp(`^${types[ending as keyof typeof types]}(?:; ?charset=utf-8)?$`, 'i');
};

const NAMES = ['browser', 'cache', 'device', 'flash', 'session', 'session_end'].map(
	(name) => `postern_${name}`
);
const FLAGS = ['httponly', 'path=/', 'samesite=lax'];

/** The attributes of a Set-Cookie line without its age, lower-cased and sorted. */
const attributesOf = (line: string): string[] =>
	line
		.split(';')
		.slice(1)
		.map((attribute) => attribute.trim().toLowerCase())
		.filter((attribute) => !/^(?:max-age|expires)=/.test(attribute))
		.sort();

let server: BuiltServer;
let seen: readonly Seen[] = [];
const of = (...kinds: readonly Kind[]): readonly Seen[] =>
	seen.filter(({ kind }) => kinds.includes(kind));
const isHtml = ({ answer }: Seen): boolean =>
	String(answer.headers['content-type']).startsWith('text/html');

describe('an https site', () => {
	beforeAll(async () => {
		server = await startBuiltServer({
			env: { AUTH_TRUSTED_ORIGINS: TRUSTED.join(), AUTH_URL: HTTPS, EMAIL_CONSOLE: 'allow' }
		});
		seen = await everything(server, HTTPS);
	});
	afterAll(() => server.stop());

	test('P06 this file has checked every kind of answer', () => {
		expect(seen.map(({ name, answer }) => [name, answer.status])).toEqual(
			seen.map(({ name, status }) => [name, status])
		);
		expect(of('asset').length).toBeGreaterThan(4);
		expect(of('page', 'plain page').filter((one) => !isHtml(one))).toEqual([]);
	});

	test('F12 P02 P06 every answer carries nosniff, the referrer, opener, resource, frame and permissions policies, and no server banner', () => {
		for (const { name, kind, answer } of seen) {
			expect({ name, ...answer.headers }).toMatchObject({
				name,
				'x-content-type-options': 'nosniff',
				'referrer-policy': 'strict-origin-when-cross-origin',
				'cross-origin-opener-policy': 'same-origin',
				'cross-origin-resource-policy': 'same-origin',
				'x-frame-options': 'DENY'
			});
			if (kind === 'api' || name === 'a preflight')
				expect(answer.headers.vary).toMatch(/Origin, Sec-Fetch-Site/);
			const permissions = String(answer.headers['permissions-policy']);
			for (const feature of ['camera', 'microphone', 'geolocation', 'payment', 'usb']) {
				expect([permissions.includes(`${feature}=()`), name]).toEqual([true, name]);
			}
			// The random text of a cookie can contain any of these words.
			const { 'set-cookie': _, ...rest } = answer.headers;
			const revealing = Object.entries(rest).filter(
				([header, value]) =>
					['server', 'x-powered-by', 'x-generator', 'via'].includes(header) ||
					/svelte|node\.?js|postern\/|vite/i.test(String(value))
			);
			expect([revealing, name]).toEqual([[], name]);
		}
	});

	test('P03 every answer has HSTS of more than a year', () => {
		for (const { name, answer } of seen) {
			const hsts = String(answer.headers['strict-transport-security']);
			expect([Number(/^max-age=(\d+)/.exec(hsts)?.[1]) >= YEAR, name]).toEqual([true, name]);
		}
	});

	test('P04 E24 caches may store only hashed assets, and never an answer that sets a cookie, needs a session or is an error', () => {
		for (const { name, kind, answer } of seen) {
			const control = String(answer.headers['cache-control']);
			if (kind === 'asset') {
				expect([control, name]).toEqual(['public,max-age=31536000,immutable', name]);
				expect([answer.setCookies, name]).toEqual([[], name]);
			} else if (kind === 'file') {
				expect([/immutable/.test(control), answer.setCookies, name]).toEqual([false, [], name]);
			} else if (kind === 'missing') {
				// Requested again each time, so that it is found as soon as it is there.
				expect([control, name]).toEqual([expect.stringMatching(/no-store|max-age=0,/), name]);
			} else {
				expect([control, name]).toEqual([expect.stringMatching(/\bno-store\b/), name]);
			}
			if (answer.setCookies.length > 0) expect(control).toContain('no-store');
		}
		const setting = seen.filter(({ answer }) => answer.setCookies.length > 0);
		expect(setting.length).toBeGreaterThan(8);
	});

	test('P05 every body has its content type, and all but files their charset', () => {
		for (const { name, kind, status, answer } of seen) {
			if (answer.text === '') continue;
			const type = String(answer.headers['content-type']);
			if (isHtml({ name, kind, status, answer })) {
				expect([type, name]).toEqual(['text/html; charset=utf-8', name]);
			} else if (kind === 'api') {
				expect([type, name]).toEqual(['application/json', name]);
				expect(() => answer.json()).not.toThrow();
			} else if (kind === 'asset' || kind === 'file') {
				expect([type, name]).toEqual([expect.stringMatching(typeOf(name)), name]);
			} else if (kind === 'missing') {
				expect([answer.text, type, name]).toEqual(['Not found', 'text/plain; charset=utf-8', name]);
			} else if (type.startsWith('text/')) {
				expect([type, name]).toEqual([expect.stringMatching(/;\s*charset=utf-8$/i), name]);
			} else expect([type, name]).toEqual(['application/json', name]);
		}
		// A missing script does not get a page as its answer.
		expect(of('missing').filter(isHtml)).toEqual([]);
	});

	test('P01 every page has a policy without inline scripts, whose forms may target only this server’s trusted sites', () => {
		const targets = ["'self'", ...WEB].sort();
		expect(of('page').length).toBeGreaterThan(7);
		const nonces = of('page').map(({ answer }) => nonceOf(answer));
		expect(new Set(nonces).size).toBe(nonces.length);
		for (const { name, answer } of of('page')) {
			const policy = directivesOf(answer);
			expect({ name, ...policy }).toMatchObject({
				name,
				'default-src': "'self'",
				'object-src': "'none'",
				'base-uri': "'none'",
				'frame-ancestors': "'none'"
			});
			expect([policy['form-action']?.split(/\s+/).sort(), name]).toEqual([targets, name]);
			expect([policy['script-src'], name]).toEqual([
				expect.stringMatching(/^'self' 'nonce-[A-Za-z0-9+/=]{16,}'$/),
				name
			]);
			const csp = String(answer.headers['content-security-policy']);
			expect(csp).not.toMatch(/unsafe-(?:inline|eval)|data:|\*/);
			const inline = [...answer.text.matchAll(/<script\b([^>]*)>/g)].filter(
				([, attributes = '']) => !/\bsrc=/.test(attributes)
			);
			for (const [, attributes] of inline) {
				expect([attributes, name]).toEqual([
					expect.stringContaining(`nonce="${nonceOf(answer)}"`),
					name
				]);
			}
			expect([/\son[a-z]+="|href="javascript:/i.test(answer.text), name]).toEqual([false, name]);
		}
	});

	test('P01 P06 plain pages, redirects and all other answers may run and load nothing from other sites', () => {
		for (const { name, answer } of of(
			'plain page',
			'redirect',
			'api',
			'other',
			'missing',
			'file',
			'asset'
		)) {
			expect({ name, ...directivesOf(answer) }).toMatchObject({
				name,
				'default-src': "'none'",
				'base-uri': "'none'",
				'frame-ancestors': "'none'",
				'form-action': "'none'"
			});
			expect(directivesOf(answer)['script-src']).toMatch(/^'sha256-[\w+/]{43}='$/);
		}
		for (const { name, answer } of of('plain page')) {
			const [, script = '', ...more] = answer.text.split(/<\/?script>/);
			const hash = createHash('sha256').update(script).digest('base64');
			expect([directivesOf(answer)['script-src'], more.length, name]).toEqual([
				`'sha256-${hash}'`,
				1,
				name
			]);
			const rest = more.join('') + answer.text.split('<script>')[0];
			expect([/<script|<style|\son[a-z]+=|\sstyle=/i.test(rest), name]).toEqual([false, name]);
			expect(answer.text).toMatch(
				/<a class="button" href="\/(?!\/)[^"]*">(?:Go to the home page|Try again|Sign in)<\/a>/
			);
			const loaded = [...answer.text.matchAll(/<(?:link|img)\b[^>]*\b(?:href|src)="([^"]*)"/g)];
			for (const [, address] of loaded) expect(address).toMatch(/^\/[\w.-]+$/);
		}
	});

	test('D01 F07 every cookie is __Host-, Secure, HttpOnly, SameSite=Lax, for / and no domain', async () => {
		const browser = openBrowser(server, HTTPS);
		const email = newAddress();
		const page = await browser.open('/auth/sign-in');
		const sent = await browser.post('/auth/sign-in?/request', { email });
		const code = await server.codeFor(email);
		const done = await browser.post('/auth/sign-in?/verify', { email, code });
		const lines = [page, sent, done].flatMap(({ setCookies }) => setCookies);
		const names = [...new Set(lines.map((line) => pairOf(line)[0]))];
		expect(names.sort()).toEqual(NAMES.map((name) => `__Host-${name}`));
		expect(await whoIs(server, { cookie: browser.cookies() })).toBe(email);
		const out = await browser.submit(await browser.open('/auth/sign-out'), '/auth/sign-out');
		for (const line of [...lines, ...out.setCookies]) {
			expect(attributesOf(line)).toEqual([...FLAGS, 'secure']);
		}
		expect(browser.cookie('__Host-postern_session')).toBeNull();
	});
});

// Over http on localhost.
onOneServer((fixture) => {
	test('D01 D02 P03 cookies have no prefix and are not Secure, and are otherwise the same; no answer has HSTS', async () => {
		const { answer } = await signIn(fixture.server);
		const names = answer.setCookies.map((line) => pairOf(line)[0]);
		expect(names.sort()).toEqual(['postern_cache', 'postern_session']);
		for (const line of answer.setCookies) expect(attributesOf(line)).toEqual(FLAGS);
		expect(answer.headers['strict-transport-security']).toBeUndefined();
	});
});
