import { expect, test } from 'vitest';
import { guideSample } from '../../support/files/guide-sample.ts';
import { bearer, call, OUT, signIn } from '../../support/http/client.ts';
import { onOneServer } from '../../support/http/fixtures.ts';

type WhoAsks = (
	authorization: string | undefined,
	clientAddress: string
) => Promise<{ email: string } | null>;

onOneServer((fixture) => {
	test('the guide for other backends: it finds the user of a request and caches it', async () => {
		const code = guideSample('other-backends', 'current-user.mjs', fixture.server.address);
		const url = `data:text/javascript,${encodeURIComponent(code)}`;
		const { currentUser } = (await import(url)) as { currentUser: WhoAsks };
		const { email, token } = await signIn(fixture.server);
		const authorization = `Bearer ${token}`;

		expect(await currentUser(authorization, '203.0.113.7')).toMatchObject({ email });
		expect(await currentUser(undefined, '203.0.113.7')).toBeNull();
		expect(await currentUser('Bearer of-nobody', '203.0.113.7')).toBeNull();
		await call(fixture.server, OUT, { method: 'POST', headers: bearer(token) });
		expect(await currentUser(authorization, '203.0.113.7')).toMatchObject({ email });
	});
});
