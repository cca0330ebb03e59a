import { messages } from '#lib/messages/messages.ts';
import { expect, test } from '../fixtures.ts';

const { theme: texts } = messages;

test('a form sets the theme and returns to its page', async ({ page, open }) => {
	const here = '/auth/sign-in?redirectTo=%2Fsettings';
	await open(here);
	for (const look of ['dark', 'light', 'system'] as const) {
		await page.getByRole('button', { name: texts[look], exact: true }).click();
		await expect(page.locator('html')).toHaveAttribute('data-theme', look);
		await expect(page).toHaveURL(here);
		await expect(page.getByRole('button', { name: texts[look] })).toHaveAttribute(
			'aria-pressed',
			'true'
		);
	}
});
