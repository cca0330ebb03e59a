import { messages } from '#lib/messages/messages.ts';
import { sendFromElsewhere } from '../../support/e2e/arrival.ts';
import { expect, test } from '../fixtures.ts';

const { errors, mail: words } = messages;

// The third needs a proof, which the page solves.
test.use({ expectedTrouble: [403, 429] });

test('the sixth email to one address is refused, with a message', async ({
	page,
	server,
	arrive,
	open,
	on,
	inSettings,
	mail,
	freshAddress
}) => {
	const [mine, wanted] = [freshAddress(), freshAddress()];
	await arrive(mine);
	await open('/settings');
	for (let sent = 1; sent <= 3; sent += 1) {
		await inSettings.askForChange(wanted);
		await expect(page.getByText(messages.emailChange.sent(wanted, words.time(60)))).toBeVisible();
		await expect(inSettings.newEmailField()).toHaveValue('');
	}
	await sendFromElsewhere(server, wanted, 2);
	await inSettings.askForChange(wanted);
	await expect(page.getByText(errors.tooManySendsNow(true), { exact: true })).toBeVisible();
	await expect(inSettings.newEmailField()).toHaveValue(wanted);
	await expect(page.getByText(messages.emailChange.sent(wanted, words.time(60)))).toHaveCount(0);
	await expect(on.signOutButton).toBeVisible();
	expect(mail.mailsSentTo('email-change link', wanted)).toBe(3);
});
