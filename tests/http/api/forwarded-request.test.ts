import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { alphanumericFolder } from '../../support/build/alphanumeric.ts';
import { PLANTED_FORWARD } from '../../support/build/planted-routes.ts';
import { onOneServer } from '../../support/http/fixtures.ts';

// An escaped letter sends a request to the same route by the framework's adapter.
const WAYS = [
	['the fast path', PLANTED_FORWARD],
	['the adapter', PLANTED_FORWARD.replace(/d$/, '%64')]
] as const;

onOneServer(
	(fixture) => {
		describe.each(WAYS)('a request that comes by %s', (_, path) => {
			test('can be forwarded, cloned and iterated like any other', async () => {
				const headers = { 'x-mark': 'seen' };
				const answer = await fetch(fixture.server.address + path, { headers });
				expect(await answer.json()).toEqual({
					constructed: 'seen',
					cloned: 'seen',
					ownFetch: 'seen',
					itself: 'seen',
					iterated: [['x-mark', 'seen']]
				});
			});

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
	},
	{},
	{ folder: alphanumericFolder }
);
