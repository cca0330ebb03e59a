import { messages } from '#lib/messages/messages.ts';
import { SITE } from '../../support/e2e/screens.ts';
import { expect, test } from '../fixtures.ts';

const { faultPages, signIn: texts } = messages;

test('a protected page redirects to sign-in, and then back to the page', async ({
	page,
	open,
	on,
	address,
	receiveCode
}) => {
	await open('/app?tab=one&name=a%26b');
	await expect(on.heading(texts.heading(SITE))).toBeVisible();
	expect(new URL(page.url()).searchParams.get('redirectTo')).toBe('/app?tab=one&name=a%26b');
	await on.enterCode(await receiveCode(address));
	await expect(page).toHaveURL('/app?tab=one&name=a%26b');
	await expect(page.getByRole('banner')).toContainText(address);
});

test('every detour of the flow keeps the requested page', async ({
	page,
	passTime,
	open,
	reload,
	on,
	mail,
	freshAddress
}) => {
	const [slip, right] = [freshAddress(), freshAddress()];
	await open('/app?from=mail');
	await page.getByRole('link', { name: texts.otherLink, exact: true }).click();
	await expect(on.heading(messages.signUp.heading(SITE))).toBeVisible();
	await on.askForCode(slip);
	await on.otherAddressLink.click();
	await on.askForCode(right);
	await expect(page.locator('main input[name="email"]').first()).toHaveValue(right);
	await mail.codeFor(right);
	await passTime(31);
	await on.sendAgain();
	await reload();
	await on.enterCode(await mail.codeFor(right));
	await expect(page).toHaveURL('/app?from=mail');
});

test('the requested URL may be something other than a page', async ({
	page,
	open,
	on,
	address,
	receiveCode
}) => {
	await open('/auth/sign-in?redirectTo=%2Fapi%2Fhello');
	await on.enterCode(await receiveCode(address));
	await expect(page).toHaveURL('/api/hello');
	await expect(page.getByText(address)).toBeVisible();
});

test('a signed-in user does not see the sign-in page again', async ({
	page,
	arrive,
	open,
	address
}) => {
	await arrive(address);
	await open('/auth/sign-in');
	await expect(page).toHaveURL('/app');
	await open('/auth/sign-up?redirectTo=%2Fapp%3Ftab%3Dtwo');
	await expect(page).toHaveURL('/app?tab=two');
	await open('/');
	await expect(page.getByText(messages.home.lede)).toHaveCount(0);
	await page.getByRole('main').getByRole('link', { name: messages.home.openApp }).click();
	await expect(page).toHaveURL('/app');
});

test.describe('unknown addresses', () => {
	test.use({ expectedTrouble: [404] });

	test('are reported to every visitor where pages are public', async ({ page, open, on }) => {
		await open('/docs/no-such-page');
		await expect(on.heading(faultPages.notFound.title)).toBeVisible();
		await expect(page.getByText(faultPages.notFound.text)).toBeVisible();
		await page.getByRole('link', { name: faultPages.home, exact: true }).click();
		await expect(page).toHaveURL('/');
	});
});
