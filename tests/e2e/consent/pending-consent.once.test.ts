import { messages } from '#lib/messages/messages.ts';
import { signInByCalls } from '../../support/e2e/arrival.ts';
import { expect, test } from '../fixtures.ts';

const { consentSettings: texts } = messages;

test('R08 a tick is not stored after a sign-out in another tab', async ({
	page,
	context,
	server,
	mail,
	open,
	receiveCode,
	on,
	freshAddress
}) => {
	const [a, b] = [freshAddress(), freshAddress()];
	await open('/auth/sign-up');
	await on.consentBox.check();
	const code = await receiveCode(a);
	// The check of the page says that nobody is signed in. Otherwise it would follow the other tab.
	await page.route('**/app', (route) =>
		route.request().method() === 'HEAD'
			? route.fulfill({ status: 303, headers: { location: '/auth/sign-in' } })
			: route.continue()
	);
	const tab = await context.newPage();
	await signInByCalls(context.request, server, mail, b);
	await open('/app', tab);
	await tab.getByRole('banner').getByRole('button', { name: messages.common.signOut }).click();
	await expect(tab).toHaveURL('/');
	await on.enterCode(code);
	await expect(page).toHaveURL('/app');
	await open('/settings');
	await expect(page.getByText(texts.none)).toBeVisible();
});
