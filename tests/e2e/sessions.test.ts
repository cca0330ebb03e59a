import { messages } from '#lib/messages/messages.ts';
import { SITE } from '../support/e2e/screens.ts';
import { expect, test } from './fixtures.ts';

const { sessions: texts, signIn } = messages;
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0';

test('every device is listed, and another one can be signed out', async ({
	page,
	arrive,
	open,
	on,
	inSettings,
	address,
	passTime,
	otherBrowser
}) => {
	const other = await otherBrowser(FIREFOX);
	await arrive(address, other);
	await open('/app', other);
	await passTime(61);
	await arrive(address);
	await open('/settings');
	await expect(inSettings.section('sessions').getByRole('listitem')).toHaveCount(2);
	await expect(inSettings.device('Chrome on')).toContainText(texts.current);
	await expect(inSettings.device('Chrome on')).toContainText(messages.common.justNow);
	const theirs = inSettings.device('Firefox on Linux');
	await expect(theirs).not.toContainText(texts.current);
	await expect(theirs).toContainText(/ at \d\d:\d\d/);

	await theirs.getByRole('button', { name: texts.end }).click();
	await expect(page.getByText(texts.ended)).toBeVisible();
	await expect(theirs).toHaveCount(0);
	await expect(page.getByRole('button', { name: texts.endOtherSessions })).toHaveCount(0);
	await expect(on.signOutButton).toBeVisible();

	await other.getByRole('link', { name: messages.settings.nav.settings, exact: true }).click();
	await expect(other).toHaveURL('/auth/sign-in?redirectTo=%2Fsettings');
	await expect(other.getByText(address)).toHaveCount(0);
});

test.describe('on a phone', () => {
	test.use({ viewport: { width: 390, height: 800 }, expectedTrouble: ['no answer'] });

	test('the name of a device stays at the top of its row beside an error', async ({
		page,
		arrive,
		open,
		inSettings,
		address,
		otherBrowser
	}) => {
		await arrive(address, await otherBrowser(FIREFOX));
		await arrive(address);
		await open('/settings');
		const device = inSettings.device('Firefox on Linux');
		const fromTop = async () => {
			const [row, name] = [device, device.getByText('Firefox on Linux').first()];
			const [outer, inner] = await Promise.all([row.boundingBox(), name.boundingBox()]);
			return (inner?.y ?? 0) - (outer?.y ?? 0);
		};
		const before = await fromTop();
		await page.route(/endDevice/, (route) => route.abort());
		await device.getByRole('button', { name: texts.end }).click();
		await expect(device.getByRole('alert')).toBeVisible();
		expect(await fromTop()).toBe(before);
	});
});

test('signing out ends the session, and going back shows nothing private', async ({
	page,
	arrive,
	open,
	goBack,
	reload,
	on,
	address
}) => {
	await arrive(address);
	await open('/app');
	await page.getByRole('link', { name: messages.settings.nav.settings, exact: true }).click();
	await expect(on.heading(messages.settings.title)).toBeVisible();
	await on.signOutButton.click();
	await expect(page).toHaveURL('/');
	await expect(page.getByText(messages.flashes['signed-out'])).toBeVisible();
	await expect(page.getByText(address)).toHaveCount(0);
	await expect(on.signOutButton).toHaveCount(0);

	await goBack();
	await reload();
	await expect(page.getByText(address)).toHaveCount(0);
	await expect(on.heading(messages.app.greeting)).toHaveCount(0);

	await open('/app');
	await expect(on.heading(signIn.heading(SITE))).toBeVisible();
	await expect(page).toHaveURL('/auth/sign-in?redirectTo=%2Fapp');
	await expect(on.emailField).toHaveValue('');
	await expect(page.getByText(messages.flashes['signed-out'])).toHaveCount(0);
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
	const [typo, right] = [freshAddress(), freshAddress()];
	await open('/app?tab=one&name=a%26b');
	await page.getByRole('link', { name: signIn.otherLink, exact: true }).click();
	await expect(on.heading(messages.signUp.heading(SITE))).toBeVisible();
	await on.askForCode(typo);
	await on.otherAddressLink.click();
	await on.askForCode(right);
	await expect(page.locator('main input[name="email"]').first()).toHaveValue(right);
	await mail.codeFor(right);
	await passTime(31);
	await on.sendAgain();
	await reload();
	await on.enterCode(await mail.codeFor(right));
	await expect(page).toHaveURL('/app?tab=one&name=a%26b');
});

test('the requested URL may be something other than a page', async ({
	page,
	on,
	address,
	openCodePage
}) => {
	await on.enterCode(await openCodePage('/auth/sign-in?redirectTo=%2Fapi%2Fhello'));
	await expect(page).toHaveURL('/api/hello');
	await expect(page.getByText(address)).toBeVisible();
});
