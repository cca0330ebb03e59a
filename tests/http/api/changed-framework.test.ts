import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import { bearer, call, rounds, signIn, API, ME, type Call } from '../../support/http/client.ts';
import { onOneServer } from '../../support/http/fixtures.ts';
import { startBuiltServer, type BuiltServer } from '../../support/process/built-server.ts';

const CHANGE = pathToFileURL(join(import.meta.dirname, 'changed-framework.ts')).href;
const LINE = "[postern] the framework's adapter answers all requests: ";

// The fast path, when the framework has changed.
onOneServer((fixture) => {
	let usual: BuiltServer;
	let token: string;
	let cookie: string;
	beforeAll(async () => {
		usual = fixture.server;
		({ token, cookie } = await signIn(usual));
	});

	/** Everything but what differs from one response to the next. */
	const answer = async (server: BuiltServer, path: string, options: Call) => {
		const { status, headers, text } = await call(server, path, options);
		const { date, 'x-request-id': id, 'set-cookie': cookies = [], ...rest } = headers;
		expect([typeof date, typeof id]).toEqual(['string', 'string']);
		return { status, rest, cookies: cookies.map((line) => line.replace(/=[^;]*/, '')), text };
	};
	const requests: readonly (readonly [string, () => Call])[] = [
		['/api/hello', () => ({})],
		['/api/hello', () => ({ headers: bearer(token) })],
		['/api/hello', () => ({ method: 'HEAD', headers: bearer(token) })],
		[`${ME}?x=%c3%a9`, () => ({ headers: { cookie } })],
		[`${API}/no-such-thing`, () => ({})]
	];

	const linesOf = (server: BuiltServer): readonly string[] =>
		server.lines.filter((line) => line.startsWith(LINE));

	const changes = [
		['with another form of respond', 'TypeError: Cannot read properties of undefined'],
		['without respond', 'TypeError: server.respond is not a function']
	] as const;
	test.each(changes.slice(0, rounds(1, 2)))(
		'%s, prints one line that says so, and answers the same',
		async (change, reason) => {
			const server = await startBuiltServer({
				databaseUrl: usual.databaseUrl,
				env: { NODE_OPTIONS: `--import ${CHANGE}`, TEST_FRAMEWORK: change }
			});
			try {
				expect(linesOf(usual)).toEqual([]);
				expect(linesOf(server)).toEqual([expect.stringContaining(LINE + reason)]);
				for (const [path, options] of requests) {
					// The first response of a session can also set cookies.
					await answer(server, path, options());
					expect(await answer(server, path, options())).toEqual(
						await answer(usual, path, options())
					);
				}
			} finally {
				await server.stop();
			}
		}
	);
});
