import { expect, test } from 'vitest';
import { API, call, tally, times } from '../../support/http/client.ts';
import { onOneServer } from '../../support/http/fixtures.ts';

// The address that the framework’s adapter would read instead must have no effect.
onOneServer(
	(fixture) => {
		test('J01 J09 with AUTH_TRUSTED_PROXIES=none no header is trusted: 130 claimed addresses are one client', async () => {
			const claim = (i: number) =>
				call(fixture.server, `${API}/ok`, {
					headers: {
						'x-forwarded-for': `203.0.${i >> 8}.${i & 255}`,
						'x-real-ip': `198.18.${i >> 8}.${i & 255}`,
						'x-client': `198.19.${i >> 8}.${i & 255}`
					}
				});
			const answers = await Promise.all(times(130, claim));
			expect(tally(answers.map(({ status }) => status))).toEqual({ 200: 100, 429: 30 });
		});
	},
	{ AUTH_TRUSTED_PROXIES: 'none', ADDRESS_HEADER: 'x-client', XFF_DEPTH: '3' }
);
