import { describe, expect, test } from 'vitest';
import { call, exchange, SEND } from '../../support/http/client.ts';
import { onOneServer } from '../../support/http/fixtures.ts';

const TOO_LARGE = { code: 'PAYLOAD_TOO_LARGE', message: expect.any(String) };
const HEAD = `POST ${SEND} HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-type: application/json\r\n`;

const cases = (limit: string, bytes: number, env: Readonly<Record<string, string>>): void =>
	onOneServer((fixture) => {
		const body = JSON.stringify({ email: 'x'.repeat(bytes) });

		describe(`${bytes} bytes of JSON, with the adapter's limit ${limit}`, () => {
			test('get our own 413 when their length is declared', async () => {
				const { status, json } = await call(fixture.server, SEND, {
					method: 'POST',
					body,
					headers: { 'content-type': 'application/json' }
				});
				expect([status, json()]).toEqual([413, TOO_LARGE]);
			});

			test('O01 get our own 413 when they arrive in chunks (CVE-2026-40073)', async () => {
				const length = body.length.toString(16);
				const received = await exchange(
					fixture.server,
					`${HEAD}transfer-encoding: chunked\r\n\r\n${length}\r\n${body}\r\n0\r\n\r\n`
				);
				expect(received).toMatch(/^HTTP\/1\.1 413 /);
				expect(JSON.parse(/\{.*\}/.exec(received)?.[0] ?? '')).toEqual(TOO_LARGE);
			});
		});
	}, env);

cases('of 512 KiB', 600_000, {});
cases('below ours', 2000, { BODY_SIZE_LIMIT: '1K' });
