import { messages } from '#lib/messages/messages.ts';
import { SEND } from '../../support/callers.ts';
import { expect, test } from '../fixtures.ts';

test('every step can be reloaded without sending or losing anything', async ({
	page,
	open,
	reload,
	on,
	mail,
	address
}) => {
	await open('/auth/sign-in');
	await reload();
	await expect(on.emailField).toBeFocused();
	await on.askForCode(address);
	await expect(on.heading(messages.code.states.sent.title)).toBeVisible();

	await reload();
	await expect(on.heading(messages.code.states.sent.title)).toBeVisible();
	await expect(page.getByRole('main')).toContainText(address);
	await expect(on.codeField).toBeFocused();
	await on.otherAddressLink.click();
	await expect(on.emailField).toHaveValue(address);
	await reload();
	await expect(on.emailField).toHaveValue(address);

	await open('/auth/sign-in');
	await on.enterCode(await mail.codeFor(address));
	await expect(page).toHaveURL('/app');
	await reload();
	await expect(page).toHaveURL('/app');
	await expect(page.getByRole('banner')).toContainText(address);
	expect(mail.codesSentTo(address)).toBe(1);
});

test('going back from the code page loses nothing, and going forward returns to it', async ({
	page,
	open,
	goBack,
	on,
	mail,
	address
}) => {
	await open('/');
	await page.getByRole('main').getByRole('link', { name: messages.common.signIn }).click();
	await on.askForCode(address);
	await expect(on.codeField).toBeVisible();
	await goBack();
	// The flow is one entry of the history.
	await expect(on.heading(messages.home.title)).toBeVisible();
	await page.goForward();
	await expect(on.codeField).toBeVisible();
	await on.enterCode(await mail.codeFor(address));
	await expect(page).toHaveURL('/app');
	expect(mail.codesSentTo(address)).toBe(1);
});

test('going back after signing in shows no form that was already used', async ({
	page,
	open,
	goBack,
	on,
	receiveCode
}) => {
	await open('/');
	await page.getByRole('main').getByRole('link', { name: messages.common.signIn }).click();
	await on.enterCode(await receiveCode());
	await expect(on.heading(messages.app.greeting)).toBeVisible();
	await goBack();
	await expect(page).toHaveURL('/');
	await expect(on.signOutButton).toBeVisible();
	await expect(on.codeField).toHaveCount(0);
	await expect(on.emailField).toHaveCount(0);
});

test.describe('a browser that comes back', () => {
	test.use({ expectedTrouble: [429] });

	test.beforeEach(async ({ page, context, on, openCodePage }) => {
		await on.enterCode(await openCodePage());
		await expect(page).toHaveURL('/app');
		await context.clearCookies({ name: /session|cache/ });
	});

	test('continues with one press', async ({ page, open, on, mail, address }) => {
		await open('/auth/sign-in');
		await on.continueAs(address).click();
		await expect(on.codeField).toBeFocused();
		await on.enterCode(await mail.codeFor(address));
		await expect(page).toHaveURL('/app');
		expect(mail.codesSentTo(address)).toBe(2);
	});

	test('reads why that press was refused', async ({ page, context, open, on, server, address }) => {
		const device = (await context.cookies()).find(({ name }) => name.endsWith('device'));
		const send = () =>
			fetch(`${server.address}${SEND}`, {
				method: 'POST',
				headers: {
					'content-type': 'application/json',
					origin: server.address,
					cookie: `${device?.name}=${device?.value}`
				},
				body: JSON.stringify({ email: address, type: 'sign-in' })
			});
		// All sends of the known device.
		for (let sent = 0; sent < 5; sent += 1) expect((await send()).status).toBe(200);
		await open('/auth/sign-in');
		await on.continueAs(address).click();
		await expect(on.emailField).toHaveValue(address);
		await expect(page.getByText(/Available in/)).toBeVisible();
	});
});
