import { expect, test } from 'vitest';
import { defaultPolicy } from '#lib/domain/policy.ts';
import { LIST, REVOKE_OTHERS, rowsOf } from '../../support/http/account.ts';
import { formsOf, openBrowser, textOf } from '../../support/http/browser.ts';
import { bearer, call, newAddress, signIn, whoIs } from '../../support/http/client.ts';
import { SESSION } from '../../support/http/cookie-jar.ts';
import { changeByCode, changeCode } from '../../support/http/email-change.ts';
import { onBothInLongForm, present } from '../../support/http/fixtures.ts';
import { linksIn } from '../../support/http/html-page.ts';
import { plantFurther } from '../../support/http/plant-sessions.ts';
import { messages } from '#lib/messages/messages.ts';

const { perAccount } = defaultPolicy.session;
const SHOWN = 20;
const PAGES = perAccount / SHOWN;

onBothInLongForm((fixture) => {
	const full = async () => {
		const person = await signIn(fixture.server);
		const others = await plantFurther(fixture.database, person.email, perAccount - 1);
		const oldest = present(others[0]);
		const idsOf = async () =>
			(await rowsOf(fixture, 'session', person.email)).map(({ id }) => String(id));
		return { ...person, oldest, idsOf };
	};

	test('a further sign-in ends the session that was unused longest, and no other', async () => {
		const { server } = fixture;
		const { email, token, oldest, idsOf } = await full();
		const before = await idsOf();
		const next = await signIn(server, email);
		const after = await idsOf();
		expect([before.length, after.length]).toEqual([perAccount, perAccount]);
		expect(before.filter((id) => !after.includes(id))).toEqual([oldest]);
		for (const one of [token, next.token]) expect(await whoIs(server, bearer(one))).toBe(email);
		const listed = await call(server, LIST, { headers: bearer(token) });
		expect(listed.json()).toHaveLength(perAccount);
	});

	test('the settings show 20, and lead through the rest without JavaScript', async () => {
		const { token, idsOf } = await full();
		const browser = openBrowser(fixture.server);
		browser.plant(SESSION, token);
		const handlesOn = (html: string): readonly string[] =>
			formsOf(html, '/settings')
				.filter(({ action }) => action.includes('?/endSession'))
				.map(({ fields }) => present(fields['session']));
		/** The other pages of sessions that a page leads to. */
		const pagesFrom = (html: string): readonly string[] =>
			linksIn(html).flatMap((link) => /[?]sessions=\d+#sessions$/.exec(link) ?? []);

		const first = await browser.open('/settings');
		expect(textOf(first.text)).toContain(messages.sessions.page(1, PAGES));
		expect(pagesFrom(first.text)).toEqual(['?sessions=2#sessions']);
		const second = await browser.open('/settings?sessions=2');
		expect(pagesFrom(second.text)).toEqual(['?sessions=1#sessions', '?sessions=3#sessions']);
		const handles = [first, second].map(({ text }) => handlesOn(text));
		expect(handles.map(({ length }) => length)).toEqual([SHOWN, SHOWN]);
		expect(new Set(handles.flat()).size).toBe(2 * SHOWN);

		const ended = await browser.submit(second, '?/endSession');
		expect([ended.status, ended.headers.location]).toEqual([303, '/settings?sessions=2#sessions']);
		const after = await browser.open('/settings?sessions=2');
		expect(textOf(after.text)).toContain(messages.sessions.ended);
		expect(await idsOf()).toHaveLength(perAccount - 1);
	});

	test('an email change ends all others, and so does signing out all other devices', async () => {
		const { server } = fixture;
		const person = await full();
		const to = newAddress();
		const code = await changeCode(server, person, to);
		expect((await changeByCode(server, bearer(person.token), to, code)).status).toBe(200);
		expect(await rowsOf(fixture, 'session', to)).toHaveLength(1);
		await plantFurther(fixture.database, to, perAccount - 1);
		const headers = bearer(person.token);
		expect((await call(server, REVOKE_OTHERS, { json: {}, headers })).status).toBe(200);
		expect(await rowsOf(fixture, 'session', to)).toHaveLength(1);
	});
});
