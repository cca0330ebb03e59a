import type { RequestEvent } from '@sveltejs/kit';
import { describe, expect, test } from 'vitest';
import { putApp } from '#lib/adapters/web/handle/put-app.ts';

describe('a request whose socket is gone', () => {
	test('R15 is refused before the application is touched', async () => {
		const event = { getClientAddress: () => undefined } as unknown as RequestEvent;
		const gate = putApp(() => {
			throw new Error('the application was asked for');
		});
		const answer = await gate(event);
		expect([answer?.status, await answer?.text()]).toEqual([400, '']);
	});
});
