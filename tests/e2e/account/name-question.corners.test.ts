import { messages } from '#lib/messages/messages.ts';
import { expect, test } from '../fixtures.ts';

const { app, errors, nameQuestion: texts } = messages;

test.use({ expectedTrouble: [400] });

test('a new person is asked for a name once', async ({
	page,
	arrive,
	open,
	reload,
	on,
	address
}) => {
	await arrive(address);
	await open('/app');
	const question = page.getByRole('region', { name: texts.title });
	const field = question.getByRole('textbox', { name: messages.profile.label });
	await question.getByRole('button', { name: texts.submit }).click();
	await expect(page.getByText(errors.emptyName)).toBeVisible();
	await expect(field).toHaveAccessibleDescription(new RegExp(`^${errors.emptyName}`));
	await field.fill('Ada');
	await field.press('Enter');
	await expect(on.heading(app.greetingByName('Ada'))).toBeVisible();
	await expect(question).toHaveCount(0);
	await reload();
	await expect(on.heading(app.greetingByName('Ada'))).toBeVisible();
	await expect(question).toHaveCount(0);
});

test('the question can be skipped for good, also on other devices', async ({
	page,
	arrive,
	open,
	reload,
	on,
	otherBrowser,
	address
}) => {
	await arrive(address);
	await open('/app');
	await page.getByRole('button', { name: texts.skip }).click();
	const question = page.getByRole('region', { name: texts.title });
	await expect(question).toHaveCount(0);
	await reload();
	await expect(on.heading(app.greeting)).toBeVisible();
	await expect(question).toHaveCount(0);
	const other = await otherBrowser();
	await arrive(address, other);
	await open('/app', other);
	await expect(other.getByRole('heading', { name: app.greeting, level: 1 })).toBeVisible();
	await expect(other.getByRole('region', { name: texts.title })).toHaveCount(0);
});
