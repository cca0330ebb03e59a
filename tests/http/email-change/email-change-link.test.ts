import { expect, test } from 'vitest';
import { openBrowser } from '../../support/http/browser.ts';
import { call, newAddress, signIn, type Answer } from '../../support/http/client.ts';
import {
	browserOf,
	changeLink,
	LANDING,
	LINK,
	pathOfLink,
	settled,
	tokenOfLink
} from '../../support/http/email-change.ts';
import { onOneServer, present } from '../../support/http/fixtures.ts';

onOneServer((fixture) => {
	test('K16 the token moves from the URL to a cookie at once, and appears in no page, header, URL or log line', async () => {
		const { server } = fixture;
		const person = await signIn(server);
		const link = await changeLink(server, person, newAddress('new'), '/app?x=1');
		const token = tokenOfLink(link);
		const browser = browserOf(server, person);
		const pages: Answer[] = [];
		for (const one of [browser, openBrowser(server)]) {
			const redirected = await one.open(pathOfLink(link));
			const location = `${LANDING}?callbackURL=%2Fapp%3Fx%3D1`;
			expect([redirected.status, redirected.headers.location]).toEqual([303, location]);
			const line = present(redirected.setCookies.find((cookie) => cookie.startsWith(`${LINK}=`)));
			expect(line).toMatch(new RegExp(`^${LINK}=${token}; .*HttpOnly`, 'i'));
			pages.push(redirected, await one.open(location));
		}
		const data = await call(server, `${LANDING}/__data.json`, {
			headers: { cookie: browser.cookies() }
		});
		const confirmed = await browser.submit(present(pages[1]), '?/confirm');
		expect([confirmed.status, confirmed.headers.location]).toEqual([303, '/app?x=1']);
		for (const { text, headers } of [...pages, data, confirmed]) {
			expect(headers['referrer-policy']).toBe('same-origin');
			expect(headers['cache-control']).toContain('no-store');
			const { 'set-cookie': _, ...others } = headers;
			expect(text + JSON.stringify(others)).not.toContain(token);
		}
		for (const page of [pages[1], pages[3]]) {
			const addresses = [...present(page).text.matchAll(/(?:src|href|action)="([^"]*)"/g)];
			expect(addresses.length).toBeGreaterThan(3);
			for (const [, address = ''] of addresses) {
				expect(new URL(address, server.address).origin).toBe(server.address);
			}
		}
		// Requests with wrong methods and spellings are logged as well.
		await call(server, `${LANDING}?token=${token}`, { method: 'PUT' });
		await call(server, `${LANDING}/?token=${token}`);
		await call(server, `/auth/verify-email%zz?token=${token}`);
		await settled(server);
		const lines = server.output().split('\n');
		const mailed = lines.filter((text) => text.startsWith('[postern] email-change link for '));
		expect(lines.filter((text) => text.includes('/auth/verify-email')).length).toBeGreaterThan(5);
		expect(lines.filter((text) => text.includes(token) && !mailed.includes(text))).toEqual([]);
	});
});
