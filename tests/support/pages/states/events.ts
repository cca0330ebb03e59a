import { expect } from '@playwright/test';
import { messages } from '#lib/messages/messages.ts';
import { anotherCode } from '../../e2e/mail-reader.ts';
import { signInOn } from '../other-devices.ts';
import type { PageState, Visit } from '../visit.ts';

const { activity, exportData } = messages;
const HOUR = 3600;

const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:132.0) Gecko/20100101 Firefox/132.0';

/** Opens the page in a session that is too old for the file. */
const later = async ({ arrive, passTime, open }: Visit): Promise<void> => {
	await arrive();
	await passTime(HOUR);
	await open('/settings/export');
};

/** The pages about events of an account, and its file. */
export const eventPages: readonly PageState[] = [
	{
		name: 'activity',
		reach: async (visit) => {
			await signInOn(visit, [FIREFOX]);
			await visit.arrive();
			await visit.guess(await visit.requestCode(), 3);
			await visit.call('revoke-other-sessions', {});
			await visit.passTime(26 * HOUR);
			await visit.requestCode();
			// The counts are stored within a second.
			const counts = visit.page.getByText(activity.events.code_refused(3));
			await expect(async () => {
				await visit.open('/settings/activity');
				expect(await counts.isVisible()).toBe(true);
			}).toPass();
		}
	},
	{
		name: 'export-ready',
		reach: async ({ arrive, open, on, page }) => {
			await arrive();
			await open('/settings/export');
			await expect(on.heading(exportData.title)).toBeVisible();
			await expect(page.getByRole('button', { name: exportData.download })).toBeVisible();
		}
	},
	{
		name: 'export-needs-code',
		alike: true,
		reach: async (visit) => {
			await later(visit);
			await visit.see(exportData.ask(visit.address));
		}
	},
	{
		name: 'export-code-sent',
		alike: true,
		reach: async (visit) => {
			await later(visit);
			await visit.page.getByRole('button', { name: exportData.send }).click();
			await visit.see(exportData.sent(visit.address));
		}
	},
	{
		name: 'export-code-wrong',
		reach: async (visit) => {
			await later(visit);
			await visit.page.getByRole('button', { name: exportData.send }).click();
			const code = await visit.mail.verificationCodeFor(visit.address);
			await visit.page.getByLabel(exportData.label).fill(anotherCode(code));
			await visit.page.getByRole('button', { name: exportData.confirm }).click();
			await visit.see(/isn’t right/);
		}
	}
];
