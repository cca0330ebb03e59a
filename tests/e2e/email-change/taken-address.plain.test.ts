import type { Page } from '@playwright/test';
import { messages } from '#lib/messages/messages.ts';
import { expect, test } from '../fixtures.ts';

const { mail: words } = messages;

test('requesting a taken address looks exactly like requesting a free one', async ({
	page,
	register,
	arrive,
	open,
	inSettings,
	mail,
	freshAddress
}) => {
	const [mine, free, taken] = [freshAddress(), freshAddress(), freshAddress()];
	await register(taken);
	await arrive(mine);
	/**
	 * All of the page, visible or not, without the address itself and the values that differ at
	 * every load.
	 */
	const shownFor = async (inPage: Page, to: string): Promise<string> => {
		await open('/settings');
		await inSettings.askForChange(to, inPage);
		await expect(page.getByText(messages.emailChange.waitingLink(words.time(60)))).toBeVisible();
		const html = await inPage.content();
		await inPage.getByRole('button', { name: messages.emailChange.cancel }).click();
		return html
			.replaceAll(to, 'the new address')
			.replace(/(name="csrf" value=|nonce=)"[^"]*"/g, '$1""')
			.replace(/formToken:"[^"]*"/g, '');
	};
	const forFree = await shownFor(page, free);
	expect(await shownFor(page, taken)).toBe(forFree);
	await mail.linkFor(free);
	expect(mail.mailsSentTo('email-change link', taken)).toBe(0);
});
