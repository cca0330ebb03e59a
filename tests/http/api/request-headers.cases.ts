import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { exchange } from '../../support/http/client.ts';
import type { Fixture } from '../../support/http/fixtures.ts';
import { PLANTED_FORWARD, PLANTED_HEADERS } from '../../support/build/planted-routes.ts';

type Pairs = readonly (readonly [name: string, value: string])[];

// An escaped letter sends a request to the same route by the framework's adapter.
const WAYS = {
	'the fast path': PLANTED_HEADERS,
	'the adapter': PLANTED_HEADERS.replace(/s$/, '%73')
};

const FORWARDED = {
	'the fast path': PLANTED_FORWARD,
	'the adapter': PLANTED_FORWARD.replace(/d$/, '%64')
};

const SENT: Readonly<Record<string, readonly string[]>> = {
	'our own headers': ['X-Postern-Protocol: https', 'x-postern-protocol: gopher'],
	'headers that claim another host': ['X-Forwarded-Host: evil.example', 'X-Forwarded-Proto: https'],
	'headers that occur twice': [
		'authorization: A',
		'Authorization: B',
		'x-a: 1',
		'X-A: 2',
		'accept: a',
		'accept: b'
	],
	'two Cookie headers': ['cookie: a=1', 'Cookie: b=2'],
	'names of object members': ['constructor: 1', 'toString: 2', '__proto__: 3', 'hasOwnProperty: 4']
};

export const requestHeaders = (fixture: Fixture): void => {
	describe('the headers of a request, as a route reads them', () => {
		const read = async (path: string, lines: readonly string[]) => {
			const received = await exchange(
				fixture.server,
				`GET ${path} HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n` +
					lines.map((line) => `${line}\r\n`).join('') +
					'\r\n'
			);
			const json = /\{[\s\S]*\}/.exec(received)?.[0] ?? received;
			return JSON.parse(json) as Readonly<Record<string, Pairs>>;
		};

		test.each(Object.entries(SENT))(
			'are the same by every way to read them: %s',
			async (_, lines) => {
				const [fast, adapter] = [
					await read(WAYS['the fast path'], lines),
					await read(WAYS['the adapter'], lines)
				];
				expect(fast).toEqual(adapter);
				const { byName, ...others } = fast;
				expect(byName?.length).toBeGreaterThan(2);
				for (const [way, pairs] of Object.entries(others))
					expect([way, pairs]).toEqual([way, byName]);
			}
		);

		test.each(Object.entries(WAYS))(
			'hold our own host and scheme on %s (sveltejs/kit@d9ae9b00b1)',
			async (_, path) => {
				const { iterated = [] } = await read(path, SENT['our own headers'] ?? []);
				const own = iterated.filter(([name]) => /^(?:host|x-postern-protocol)$/.test(name));
				expect(own).toEqual([
					['host', new URL(fixture.server.address).host],
					['x-postern-protocol', 'http']
				]);
			}
		);
	});

	describe.each(Object.entries(FORWARDED))('a request that comes by %s', (_, path) => {
		test('is aborted when its client disconnects', async () => {
			const left = async (): Promise<number> =>
				(await (await fetch(`${fixture.server.address}${path}?left`)).json()).left;
			const before = await left();
			const socket = connect(Number(new URL(fixture.server.address).port), '127.0.0.1');
			socket.write(`GET ${path}?wait HTTP/1.1\r\nhost: x\r\n\r\n`, () => socket.destroy());
			await once(socket, 'close');
			await expect.poll(left).toBe(before + 1);
		});
	});
};
