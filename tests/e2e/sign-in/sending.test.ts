import { messages } from '#lib/messages/messages.ts';
import { wrongCode } from '../../support/http/client.ts';
import { expect, test } from '../fixtures.ts';

const { code: texts, common } = messages;

test('a double click sends one email', async ({ page, open, on, mail, address }) => {
	await open('/auth/sign-in');
	await on.emailField.fill(address);
	await on.sendButton.dblclick();
	await expect(on.codeField).toBeFocused();
	await on.enterCode(await mail.codeFor(address));
	await expect(page).toHaveURL('/app');
	await expect.poll(() => mail.mailsSentTo('welcome mail', address)).toBe(1);
	expect(mail.codesSentTo(address)).toBe(1);
});

test('sending again is blocked for thirty seconds, and a reload does not shorten that', async ({
	page,
	passTime,
	reload,
	on,
	openCodePage
}) => {
	await openCodePage();
	await expect(on.resendButton).toBeDisabled();
	await passTime(20);
	await reload();
	await expect(on.resendButton).toBeDisabled();
	await expect(page.getByText(/Available in (?:9|10) s/)).toBeVisible();
	await passTime(11);
	await expect(on.resendButton).toBeEnabled();
});

test('the end of the wait and a new code move nothing', async ({
	page,
	passTime,
	on,
	openCodePage
}) => {
	await openCodePage();
	await expect(page.getByText(/^Available in/)).toBeVisible();
	const places = () =>
		page
			.locator('main :is(h1, label, input:not([type=hidden]), button, p, a)')
			.evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().y)));
	const before = await places();
	await passTime(31);
	await expect(on.resendButton).toBeEnabled();
	expect(await places()).toEqual(before);
	await on.resendButton.click();
	await expect(page.getByText(texts.states.resent.text)).toBeVisible();
	await expect(on.resendButton).toBeDisabled();
	expect(await places()).toEqual(before);
});

test('a code that expires on an open page says so', async ({
	page,
	passTime,
	on,
	openCodePage
}) => {
	await openCodePage();
	await expect(page.getByText(/Valid until \d\d:\d\d/)).toBeVisible();
	await passTime(601);
	await expect(on.heading(texts.states.expired.title)).toBeVisible();
	await expect(on.resendButton).toBeEnabled();
});

test.describe('without a network', () => {
	test.use({ expectedTrouble: ['no answer', 400] });

	test('the form shows an error, keeps the typed text, and works once the connection is back', async ({
		page,
		context,
		passTime,
		open,
		on,
		mail,
		address
	}) => {
		await passTime(0);
		await open('/auth/sign-in');
		await context.setOffline(true);
		await on.askForCode(address);
		await expect(on.alert(common.unreachable)).toBeVisible();
		await expect(on.emailField).toHaveValue(address);
		await context.setOffline(false);
		await on.sendButton.click();
		await expect(on.codeField).toBeVisible();
		const code = await mail.codeFor(address);

		await context.setOffline(true);
		await on.enterCode(code);
		await expect(on.alert(common.unreachable)).toBeVisible();
		await expect(on.codeField).toHaveValue(code);
		await passTime(31);
		await on.resendButton.click();
		await expect(page.locator('#resend-message')).toBeVisible();
		await expect(on.alert(common.unreachable)).toHaveCount(1);

		// A later response to a form is no fault.
		await on.enterCode(wrongCode(code));
		await expect(page.locator('#resend-message')).toBeHidden();
		await expect(on.alert(common.unreachable)).toBeVisible();
		await context.setOffline(false);
		await on.continueButton.click();
		await expect(page.getByText(messages.errors.invalidCodeAttempts(4))).toBeVisible();
		await context.setOffline(true);
		await on.resendButton.click();
		await expect(on.alert(common.unreachable)).toHaveCount(1);
		await expect(page.getByText(messages.errors.invalidCodeAttempts(4))).toBeVisible();
		await context.setOffline(false);
		await on.enterCode(code);
		await expect(page).toHaveURL('/app');
	});
});
