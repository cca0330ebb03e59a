import { messages } from '#lib/messages/messages.ts';
import { sendFromElsewhere } from '../../support/e2e/arrival.ts';
import { expect, test } from '../fixtures.ts';

test.use({ expectedTrouble: [429] });

test('the sixth email to one address is refused, with a message', async ({
	server,
	arrive,
	open,
	on,
	inSettings,
	mail,
	address,
	freshAddress
}) => {
	const wanted = freshAddress();
	await arrive(address);
	await sendFromElsewhere(server, wanted, 5);
	await open('/settings');
	await inSettings.askForChange(wanted);
	await expect(on.alert(messages.errors.tooManySends(true, null))).toBeVisible();
	await expect(inSettings.newEmailField()).toHaveValue(wanted);
	expect(mail.mailsSentTo('email-change link', wanted)).toBe(0);
});
