import { expect, test } from 'vitest';
import { messages } from '#lib/messages/messages.ts';
import { openBrowser, textOf } from '../../support/http/browser.ts';
import {
	bearer,
	freshCode,
	newAddress,
	signIn,
	verifyCode,
	whoIs
} from '../../support/http/client.ts';
import { changeByCode, changeCode } from '../../support/http/email-change.ts';
import { onOneServer } from '../../support/http/fixtures.ts';

const texts = messages.undoEmailChange;

onOneServer((fixture) => {
	test('K15 a code of the old address leads to one press that gives the account back, without JavaScript', async () => {
		const { server } = fixture;
		const person = await signIn(server);
		const thief = newAddress('thief');
		const code = await changeCode(server, person, thief);
		expect((await changeByCode(server, bearer(person.token), thief, code)).status).toBe(200);
		expect(await whoIs(server, bearer(person.token))).toBe(thief);

		const otp = await freshCode(server, person.email);
		const refused = await verifyCode(server, person.email, otp);
		const { code: reason, undoPath } = refused.json() as { code: string; undoPath: string };
		expect([refused.status, reason]).toEqual([403, 'ADDRESS_RESERVED']);

		const browser = openBrowser(server);
		const page = await browser.open(undoPath);
		expect([page.status, page.headers['referrer-policy']]).toEqual([200, 'same-origin']);
		expect(textOf(page.text)).toContain(texts.title);
		expect(textOf(page.text)).toContain(person.email);
		expect(page.text).not.toContain(thief);

		const pressed = await browser.submit(page, '?/undo');
		expect(pressed.status).toBe(303);
		const next = await browser.open(pressed.headers.location ?? '');
		expect(textOf(next.text)).toContain(messages.notices['email-restored']);
		expect(await whoIs(server, bearer(person.token))).toBeNull();
		expect(textOf((await browser.open(undoPath)).text)).toContain(texts.unknown);
		expect(await whoIs(server, bearer((await signIn(server, person.email)).token))).toBe(
			person.email
		);
	});
});
