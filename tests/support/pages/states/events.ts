import { expect } from '@playwright/test';
import { messages } from '#lib/messages/messages.ts';
import { signInOn } from '../other-devices.ts';
import type { PageState } from '../visit.ts';

const { activity, notices, yourData } = messages;
const HOUR = 3600;

const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:132.0) Gecko/20100101 Firefox/132.0';

/** The pages about events of an account, and before its file. */
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
			const counts = visit.page.getByText(activity.event('code_refused', 3));
			await expect(async () => {
				await visit.open('/settings/activity');
				expect(await counts.isVisible()).toBe(true);
			}).toPass();
		}
	},
	{
		name: 'sign-in-again',
		alike: true,
		reach: async (visit) => {
			await visit.arrive();
			await visit.passTime(HOUR);
			await visit.open('/settings');
			await visit.page.getByRole('button', { name: yourData.download }).click();
			await visit.see(notices['sign-in-again']);
		}
	}
];
