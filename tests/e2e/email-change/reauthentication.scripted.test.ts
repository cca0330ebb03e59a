import { messages } from '#lib/messages/messages.ts';
import { anotherCode } from '../../support/e2e/mail-reader.ts';
import { expect, test } from '../fixtures.ts';

const { errors, mail: words } = messages;
const texts = messages.emailChange;

test.use({
	serverOptions: { env: { SUPPORT_EMAIL: 'help@example.org', EMAIL_CHANGE_REPROOF: 'on' } },
	expectedTrouble: [400, 403]
});

test('with EMAIL_CHANGE_REPROOF=on, after 15 minutes an email change needs a code from the current address', async ({
	page,
	arrive,
	open,
	passTime,
	inSettings,
	mail,
	address,
	freshAddress
}) => {
	const after = freshAddress();
	const proof = page.getByRole('textbox', { name: texts.codeLabel, exact: true });
	const proceed = page.getByRole('button', { name: texts.proceed, exact: true });
	await arrive(address);
	await open('/settings');
	await expect(page.getByText(texts.reauthentication(15))).toHaveCount(0);
	await passTime(15 * 60);
	await open('/settings');
	await page.getByText(texts.change, { exact: true }).click();
	await expect(page.getByText(texts.reauthentication(15))).toBeVisible();
	await expect(page.getByRole('link', { name: 'help@example.org' }).first()).toBeVisible();

	await inSettings.askForChange(after);
	await expect(page.getByText(texts.codeSent(address))).toBeVisible();
	const code = await mail.mailFor('reauthentication code', address);
	expect(mail.mailsSentTo('email-change link', after)).toBe(0);
	await expect(inSettings.newEmailField()).toHaveValue(after);
	await proof.fill(anotherCode(code));
	await proceed.click();
	await expect(page.getByText(errors.invalidCodeAttempts(4))).toBeVisible();
	await expect(proof).toHaveAttribute('aria-invalid', 'true');
	await expect(inSettings.newEmailField()).toHaveValue(after);

	await page.getByRole('button', { name: texts.resendCode, exact: true }).click();
	const newest = await mail.mailFor('reauthentication code', address);
	await expect(page.getByText(texts.codeSent(address))).toBeVisible();
	await proof.fill(newest);
	await proceed.click();
	await expect(page.getByText(texts.waitingLink(words.time(60)))).toBeVisible();
	await expect(proof).toHaveCount(0);
	expect(await mail.linkFor(after)).toContain('/auth/verify-email');
});
