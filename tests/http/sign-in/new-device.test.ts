import { expect, test } from 'vitest';
import { messages } from '#lib/messages/messages.ts';
import { openBrowser, textOf } from '../../support/http/browser.ts';
import { bearer, newAddress, signIn, whoIs } from '../../support/http/client.ts';
import { onOneServer } from '../../support/http/fixtures.ts';

const texts = messages.newDevice;

onOneServer((fixture) => {
	test('T09 a reported sign-in is ended from its email, without a session and without JavaScript', async () => {
		const { server } = fixture;
		const email = newAddress();
		const owner = await signIn(server, email);
		const thief = await signIn(server, email);
		const link = new URL(await server.mailFor('new-device notice', email, 1));
		expect(link.origin).toBe(server.address);

		const browser = openBrowser(server);
		const page = await browser.open(link.pathname);
		expect([page.status, page.headers['cache-control']]).toEqual([200, 'no-store']);
		expect(page.headers['referrer-policy']).toBe('same-origin');
		expect(textOf(page.text)).toContain(texts.title);
		expect(page.text).not.toContain(email);
		expect(await whoIs(server, bearer(thief.token))).toBe(email);

		const pressed = await browser.submit(page, '?/signOut');
		expect([pressed.status, pressed.headers.location]).toEqual([303, link.pathname]);
		const done = textOf((await browser.open(link.pathname)).text);
		for (const text of [texts.endedTitle, ...texts.next]) expect(done).toContain(text);
		expect(done).not.toContain(texts.doneTitle);
		expect(await whoIs(server, bearer(thief.token))).toBeNull();
		expect(await whoIs(server, bearer(owner.token))).toBe(email);

		const lost = await openBrowser(server).open('/auth/new-device/x.y.z');
		expect([lost.status, textOf(lost.text).includes(texts.unknown)]).toEqual([200, true]);
	});
});
