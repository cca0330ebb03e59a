import { messages } from '#lib/messages/messages.ts';
import { expect, test } from '../fixtures.ts';

const { docs } = messages;

test.use({ permissions: ['clipboard-read', 'clipboard-write'] });

test('the button next to a command copies it and says so', async ({ page, open, server }) => {
	await open('/docs');
	const block = page.getByRole('figure').filter({ hasText: 'curl, step 1' });
	const button = block.getByRole('button', { name: docs.copy });
	await button.click();
	await expect(block.getByRole('status')).toHaveText(docs.copied);
	const copied = await page.evaluate(() => navigator.clipboard.readText());
	expect(copied).toContain(`curl ${server.address}/api/auth/email-otp/send-verification-otp \\\n`);
	expect(copied).toBe(await block.locator('code').textContent());
	// After a while the button offers to copy again.
	await expect(button).toHaveText(new RegExp(`^${docs.copy}`));
});

test('if copying is refused the command is selected instead', async ({ page, open }) => {
	await open('/docs');
	await page.evaluate(() => {
		navigator.clipboard.writeText = () => Promise.reject(new Error('refused'));
	});
	const block = page.getByRole('figure').filter({ hasText: 'curl, step 1' });
	await block.getByRole('button', { name: docs.copy }).click();
	await expect
		.poll(() => page.evaluate(() => getSelection()?.toString().trim()))
		.toBe(await block.locator('code').textContent());
});
