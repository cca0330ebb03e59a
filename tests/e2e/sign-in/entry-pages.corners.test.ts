import { messages } from '#lib/messages/messages.ts';
import { SITE } from '../../support/e2e/screens.ts';
import { expect, test } from '../fixtures.ts';

const { signIn: texts, signUp } = messages;

test('either entry page works: a known address on sign-up signs in', async ({
	page,
	register,
	open,
	on,
	mail,
	address,
	receiveCode
}) => {
	await register(address);
	await open('/auth/sign-up');
	await on.enterCode(await receiveCode(address));
	await expect(page).toHaveURL('/app');
	expect(mail.welcomesTo(address)).toBe(1);
});

test('both entry pages link to each other', async ({ page, open, on }) => {
	await open('/auth/sign-in');
	await page.getByRole('link', { name: texts.otherLink, exact: true }).click();
	await expect(on.heading(signUp.heading(SITE))).toBeVisible();
	await page.getByRole('link', { name: signUp.otherLink, exact: true }).click();
	await expect(on.heading(texts.heading(SITE))).toBeVisible();
});
