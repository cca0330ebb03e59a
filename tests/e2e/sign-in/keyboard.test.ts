import { messages } from '#lib/messages/messages.ts';
import { wrongCode } from '../../support/http/client.ts';
import { expect, test } from '../fixtures.ts';

const { code: texts, common, errors, settings } = messages;

test.use({ expectedTrouble: [400] });

test('the whole flow works with the keyboard alone', async ({
	page,
	open,
	on,
	inSettings,
	mail,
	freshAddress
}) => {
	const [typo, right] = [freshAddress(), freshAddress()];
	const { keyboard } = page;
	const tabTo = async (name: string, role: 'link' | 'button'): Promise<void> => {
		const target = page.getByRole(role, { name, exact: true }).and(page.locator(':focus'));
		for (let presses = 0; presses < 12; presses += 1) {
			await keyboard.press('Tab');
			if ((await target.count()) > 0) return;
		}
		throw new Error(`no way to "${name}" by Tab`);
	};

	await open('/');
	await keyboard.press('Tab');
	await expect(page.getByRole('link', { name: common.skipToContent })).toBeFocused();
	await keyboard.press('Enter');
	await tabTo(common.signUp, 'link');
	await keyboard.press('Enter');

	await expect(on.emailField).toBeFocused();
	await keyboard.type(typo);
	await keyboard.press('Enter');
	await expect(on.codeField).toBeFocused();
	await tabTo(messages.code.other, 'link');
	await keyboard.press('Enter');

	await expect(on.emailField).toBeFocused();
	await keyboard.press('ControlOrMeta+A');
	await keyboard.type(right);
	await keyboard.press('Enter');
	await expect(on.codeField).toBeFocused();
	await expect(page.getByRole('main')).toContainText(right);
	const code = await mail.codeFor(right);
	await keyboard.type(wrongCode(code));
	await expect(page.getByText(errors.invalidCodeAttempts(4))).toBeVisible();
	await expect(on.codeField).toBeFocused();
	await keyboard.type(code);

	await expect(page).toHaveURL('/app');
	await tabTo(settings.nav.settings, 'link');
	await keyboard.press('Enter');
	await expect(on.heading(settings.title)).toBeVisible();
	await tabTo(messages.profile.submit, 'button');
	await keyboard.press('Shift+Tab');
	await expect(inSettings.nameField).toBeFocused();
	await keyboard.type('Ada');
	await keyboard.press('Enter');
	await expect(page.getByText(messages.profile.saved)).toBeVisible();
	await open('/settings');
	await tabTo(common.signOut, 'button');
	await keyboard.press('Enter');
	await expect(page).toHaveURL('/');
});

test('after the last attempt the focus moves to sending a new code, once that is possible', async ({
	page,
	server,
	passTime,
	on,
	mail,
	address,
	openCodePage
}) => {
	const code = await openCodePage();
	await passTime(31);
	for (let wrong = 1; wrong <= 4; wrong += 1) {
		const data = { email: address, otp: wrongCode(code, wrong) };
		const headers = { origin: server.address };
		await page.request.post('/api/auth/sign-in/email-otp', { data, headers });
	}
	await on.enterCode(wrongCode(code, 5));
	await expect(on.heading(texts.states.exhausted.title)).toBeVisible();
	await expect(on.resendButton).toBeFocused();
	await page.keyboard.press('Enter');
	await expect(on.codeField).toBeFocused();
	await expect(on.codeField).toHaveValue('');
	await page.reload();
	await expect(page.getByLabel(texts.label(6, true))).toBeFocused();
	const newest = await mail.codeFor(address);
	await page.keyboard.type(wrongCode(newest));
	await expect(page.getByText(errors.invalidCodeAttempts(4))).toBeVisible();
	await expect(page.getByLabel(texts.label(6, true))).toBeFocused();
	await page.keyboard.type(newest);
	await expect(page).toHaveURL('/app');
});

test('Cancel empties and closes a form and returns to the button that opened it', async ({
	page,
	arrive,
	open,
	inSettings,
	address
}) => {
	await arrive(address);
	await open('/settings');
	await inSettings.openDeletion();
	const sure = page.getByRole('checkbox', { name: messages.deletion.sure(address) });
	await sure.check();
	await page.getByRole('link', { name: common.cancel }).focus();
	await page.keyboard.press('Enter');
	await expect(page.locator('summary:focus')).toContainText(messages.deletion.open);
	await expect(page.getByRole('button', { name: messages.deletion.submit })).toBeHidden();
	await inSettings.openDeletion();
	await expect(sure).not.toBeChecked();
	await page.getByRole('button', { name: messages.deletion.submit }).click();
	await expect(page.getByText(messages.errors.unsure)).toBeVisible();
	await expect(page).toHaveURL('/settings');
});
