import { messages } from '#lib/messages/messages.ts';
import { expect, test } from '../fixtures.ts';

const { consentSettings: texts } = messages;

test('R08 a tick is not stored for another email address', async ({
	page,
	open,
	receiveCode,
	on,
	freshAddress
}) => {
	const [a, b] = [freshAddress(), freshAddress()];
	await open('/auth/sign-up');
	await on.consentBox.check();
	await receiveCode(a);
	// The box is still ticked for A. For another email address it must be ticked again.
	await on.otherAddressLink.click();
	await expect(on.consentBox).toBeChecked();
	await on.enterCode(await receiveCode(b));
	await expect(page).toHaveURL('/app');
	await open('/settings');
	await expect(page.getByText(texts.none)).toBeVisible();
});
