import { messages } from '#lib/messages/messages.ts';
import { expect, test } from '../fixtures.ts';

const { sessions: texts } = messages;
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0';

test('every device is listed, and another one can be signed out', async ({
	page,
	arrive,
	open,
	on,
	inSettings,
	address,
	otherBrowser
}) => {
	const other = await otherBrowser(FIREFOX);
	await arrive(address, other);
	await open('/app', other);
	await arrive(address);
	await open('/settings');
	await expect(inSettings.section('sessions').getByRole('listitem')).toHaveCount(2);
	await expect(inSettings.device('Chrome on')).toContainText(texts.current);
	const theirs = inSettings.device('Firefox on Linux');
	await expect(theirs).not.toContainText(texts.current);

	await theirs.getByRole('button', { name: texts.end }).click();
	await expect(page.getByText(texts.ended)).toBeVisible();
	await expect(theirs).toHaveCount(0);
	await expect(page.getByRole('button', { name: texts.endOthers })).toHaveCount(0);
	await expect(on.signOutButton).toBeVisible();

	await other.getByRole('link', { name: messages.settings.nav.settings, exact: true }).click();
	await expect(other).toHaveURL('/auth/sign-in?redirectTo=%2Fsettings');
	await expect(other.getByText(address)).toHaveCount(0);
});

test('a user can sign out all other devices', async ({
	page,
	arrive,
	open,
	inSettings,
	address,
	otherBrowser
}) => {
	const other = await otherBrowser(FIREFOX);
	await arrive(address, other);
	await arrive(address);
	await open('/settings');
	await page.getByRole('button', { name: texts.endOthers }).click();
	await expect(page.getByText(texts.othersEnded)).toBeVisible();
	await expect(inSettings.section('sessions').getByRole('listitem')).toHaveCount(1);
	await open('/app', other);
	await expect(other).toHaveURL('/auth/sign-in?redirectTo=%2Fapp');
});
