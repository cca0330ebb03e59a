import { expect, test } from 'vitest';
import { formsOf, openBrowser } from '../../support/http/browser.ts';
import { bearer, call, newAddress, pairOf, signIn, whoIs, API } from '../../support/http/client.ts';
import {
	browserOf,
	changeLink,
	confirmLink,
	follow,
	formKey,
	linkOutcome,
	pathOfLink,
	tokenOfLink,
	CHANGED,
	LANDING
} from '../../support/http/email-change.ts';
import { jarOf } from '../../support/http/cookie-jar.ts';
import { onOneServer } from '../../support/http/fixtures.ts';

/** What mail gateways, previews and browsers do with a link before the user clicks it. */
const VISITS = [
	{ method: 'HEAD', headers: {} },
	{ method: 'GET', headers: { 'user-agent': 'Mozilla/5.0 (compatible; SkypeUriPreview)' } },
	{ method: 'GET', headers: { 'sec-purpose': 'prefetch;prerender', 'sec-fetch-mode': 'navigate' } }
];

onOneServer((fixture) => {
	test('K01 scanners that open the link, follow it and submit the forms they find change nothing, spend nothing and open no session (supabase/auth#1214)', async () => {
		const { server, database } = fixture;
		const [person, other] = [await signIn(server), await signIn(server)];
		const to = newAddress('new');
		const link = await changeLink(server, person, to);
		const stored = async () => {
			const { user, session, verification, auth_throttle } = await database.dump();
			return { user, session, verification, auth_throttle };
		};
		const before = await stored();
		const byApi = `${API}/verify-email?token=${tokenOfLink(link)}`;
		for (const { method, headers } of VISITS) {
			for (const path of [pathOfLink(link), byApi, `${pathOfLink(link)}&utm_source=mail`]) {
				for (const cookie of ['', jarOf(person), jarOf(other)]) {
					const answer = await call(server, path, {
						method,
						headers: { ...headers, ...(cookie !== '' && { cookie }) }
					});
					expect([302, 303]).toContain(answer.status);
					const names = answer.setCookies.map((line) => pairOf(line)[0]);
					expect(names).not.toContain('postern_session');
				}
			}
		}
		for (const browser of [openBrowser(server), browserOf(server, other)]) {
			const page = await follow(browser, pathOfLink(link));
			const found = formsOf(page.text, LANDING)
				.map(({ action }) => action)
				.filter((action) => action.startsWith(LANDING) && !action.includes('switchAccount'));
			for (const action of [`${LANDING}?/confirm`, ...found]) {
				const answer = await browser.post(action, {});
				expect([303, 400]).toContain(answer.status);
				expect(answer.setCookies.join()).not.toContain('postern_session');
			}
		}
		expect(await stored()).toEqual(before);
		const confirmed = await confirmLink(server, await formKey(server), person, link);
		expect(linkOutcome(confirmed)).toBe(CHANGED);
		expect(await whoIs(server, bearer(person.token))).toBe(to);
	});
});
