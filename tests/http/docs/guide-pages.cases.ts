import { expect, test } from 'vitest';
import { GUIDE_COMPONENT, GUIDE_PAGE } from '../../support/build/planted-routes.ts';
import { enterOnPage } from '../../support/http/account.ts';
import { formsOf, openBrowser, textOf } from '../../support/http/browser.ts';
import { newAddress, signIn } from '../../support/http/client.ts';
import type { Fixture } from '../../support/http/fixtures.ts';

// A build that has the samples of the guides as routes.
export const guidePages = (fixture: Fixture): void => {
	test('the page of the guide asks for a sign-in, shows its owner and takes its form', async () => {
		const { server } = fixture;
		const browser = openBrowser(server);
		const signInPage = `/auth/sign-in?redirectTo=${encodeURIComponent(GUIDE_PAGE)}`;
		expect((await browser.open(GUIDE_PAGE)).headers.location).toBe(signInPage);
		const email = newAddress();
		const entered = await enterOnPage(server, browser, email, signInPage);
		expect(entered.headers.location).toBe(GUIDE_PAGE);
		const page = await browser.open(GUIDE_PAGE);
		expect(textOf(page.text)).toContain(`Notes of ${email}`);
		const form = formsOf(page.text, GUIDE_PAGE).find(({ fields }) => 'text' in fields);
		expect(form?.fields).toEqual({ csrf: expect.any(String), text: '' });
		expect((await browser.submit(page, GUIDE_PAGE, { text: 'milk' })).status).toBe(200);
		const empty = await browser.submit(page, GUIDE_PAGE, { text: '' });
		expect([empty.status, textOf(empty.text)]).toEqual([400, expect.stringContaining('Enter a')]);
		const forged = await browser.post(GUIDE_PAGE, { text: 'milk', csrf: '' });
		expect(forged.status).toBe(403);
		const component = await browser.open(GUIDE_COMPONENT);
		expect(textOf(component.text)).toContain(`Signed in as ${email}`);
	});

	test('the endpoint of the guide answers with the user of its caller', async () => {
		const { answer: signedIn, token } = await signIn(fixture.server);
		// The API's own document does not describe this endpoint, so this is not `call`.
		const notes = (headers = {}) => fetch(`${fixture.server.address}/api/notes`, { headers });
		expect((await notes()).status).toBe(401);
		const { user } = signedIn.json() as { user: { id: string } };
		const answer = await notes({ authorization: `Bearer ${token}` });
		expect(await answer.json()).toEqual({ owner: user.id, notes: [] });
	});
};
