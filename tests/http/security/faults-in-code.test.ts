import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openBrowser } from '../../support/http/browser.ts';
import {
	call,
	newAddress,
	sendCode,
	signIn,
	times,
	type Answer
} from '../../support/http/client.ts';
import { present } from '../../support/http/fixtures.ts';
import { startBuiltServer, type BuiltServer } from '../../support/process/built-server.ts';

describe('a handler that throws unexpectedly', () => {
	const PLANTED = 'planted-fault';
	const INTERNAL = { message: 'Something went wrong on our side', code: 'INTERNAL_ERROR' };
	let server: BuiltServer;
	beforeAll(async () => {
		const planter = pathToFileURL(join(import.meta.dirname, './planted-faults.ts')).href;
		server = await startBuiltServer({ env: { NODE_OPTIONS: `--import=${planter}` } });
	});
	afterAll(() => server.stop());

	const faults = (): readonly Readonly<Record<string, unknown>>[] =>
		server.lines
			.filter((line) => line.startsWith('{'))
			.map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>)
			.filter(({ event }) => event === 'fault');
	const expectClean = ({ status, text, headers }: Answer): void => {
		expect(status).toBe(500);
		// The page has a link to itself.
		expect(text.replace(`?${PLANTED}`, '')).not.toMatch(
			/planted|srv|select|TypeError|RangeError|\bat .+:\d+/
		);
		expect(headers['x-content-type-options']).toBe('nosniff');
		expect(headers['cache-control']).toContain('no-store');
	};
	const formPost = async (email: string): Promise<Answer> => {
		const browser = openBrowser(server);
		return browser.submit(await browser.open('/auth/sign-in'), '?/request', { email });
	};

	test.each<readonly [string, () => Promise<Answer>, 'json' | 'page']>([
		['an endpoint', () => sendCode(server, `${PLANTED}@example.com`), 'json'],
		['a form', () => formPost(`${PLANTED}@example.com`), 'page']
	])(
		'M18 %s: logged once, a clean 500, and other requests are served',
		async (_, request, kind) => {
			const before = faults().length;
			const [answer, ...others] = await Promise.all([
				request(),
				...times(5, () => call(server, '/api/auth/ok'))
			]);
			expectClean(answer);
			expect(others.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
			if (kind === 'json') expect(answer.json()).toEqual(INTERNAL);
			if (kind === 'page') expect(answer.headers['content-type']).toMatch(/^text\/html/);
			await expect.poll(() => faults().length).toBe(before + 1);
			const { where, requestId } = present(faults().at(-1));
			expect(where).toMatch(/^(?:GET|POST) \/[a-z/-]+$/);
			expect(requestId).toBe(answer.headers['x-request-id'] ?? requestId);
			// No client got the answer that a code was sent.
			expect(answer.setCookies.join()).not.toContain('session');
		}
	);

	test('M18 an error after the answer is logged in one line, and stops nothing', async () => {
		const before = faults().length;
		const email = `${PLANTED}-late-${basename(newAddress(), '@example.com')}@example.com`;
		expect((await sendCode(server, email)).status).toBe(200);
		await expect.poll(() => faults().length).toBe(before + 2);
		expect(
			faults()
				.slice(before)
				.map(({ where }) => where)
				.sort()
		).toEqual(['uncaught exception', 'unhandled rejection']);
		expect(await server.codeFor(email)).toMatch(/^\d{6}$/);
		await signIn(server);
	});
});
