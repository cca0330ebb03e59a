import { messages } from '#lib/messages/messages.ts';
import { anotherCode } from '../support/e2e-mail-reader.ts';
import { expect, test } from './fixtures.ts';

const { settings, errors, mail: words } = messages;
const texts = settings.email;

test.use({ serverOptions: { env: { EMAIL_CHANGE_REPROOF: 'on' } }, expectedTrouble: [400] });

test('where it is asked for, a new address takes a code from the current one', async ({
	page,
	arrive,
	open,
	inSettings,
	mail,
	address,
	freshAddress
}) => {
	const after = freshAddress();
	const proof = page.getByRole('textbox', { name: texts.proofLabel, exact: true });
	await arrive(address);
	await open('/settings');
	await expect(page.getByText(texts.reproof)).toBeVisible();
	await page.getByRole('button', { name: texts.sendProof }).click();
	await expect(page.getByText(texts.proofSent(address))).toBeVisible();
	const code = await mail.verificationCodeFor(address);

	await proof.fill(anotherCode(code));
	await inSettings.askForChange(after);
	await expect(page.getByText(errors.invalidCodeAttempts(4))).toBeVisible();
	await expect(proof).toHaveAttribute('aria-invalid', 'true');
	await expect(inSettings.newEmailField()).toHaveValue(after);
	await proof.fill(code);
	await inSettings.askForChange(after);
	await expect(page.getByText(texts.sent(after, words.time(60)))).toBeVisible();
	expect(await mail.linkFor(after)).toContain('/auth/verify-email');
});
