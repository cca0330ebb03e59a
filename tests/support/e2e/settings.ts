import type { Locator, Page } from '@playwright/test';
import { messages } from '#lib/messages/messages.ts';

const sections = {
	profile: messages.profile,
	email: messages.emailChange,
	sessions: messages.sessions,
	consent: messages.consentSettings,
	deletion: messages.deletion
};

type Section = keyof typeof sections;

/** What a user sees and does on the settings page. */
export const settingsOf = (page: Page) => {
	const section = (name: Section): Locator =>
		page.getByRole('region', { name: sections[name].title, exact: true });
	const button = (name: string): Locator => page.getByRole('button', { name, exact: true });
	const nameField = page.getByRole('textbox', { name: messages.profile.title, exact: true });
	const sure = section('deletion').getByRole('checkbox');
	const openDeletion = (): Promise<void> =>
		section('deletion').getByText(messages.deletion.open, { exact: true }).click();
	return {
		section,
		askForChange: async (to: string) => {
			const field = page.getByRole('textbox', { name: messages.emailChange.label, exact: true });
			if (!(await field.isVisible())) {
				await page.getByText(messages.emailChange.change, { exact: true }).click();
			}
			await field.fill(to);
			await field.press('Enter');
		},
		nameField,
		saveName: async (name: string) => {
			await nameField.fill(name);
			await button(messages.profile.submit).click();
		},
		/** The row of the device of this name in the list of sessions. */
		device: (hasText: string) => section('sessions').getByRole('listitem').filter({ hasText }),
		/** Shows what deleting the account means, and the form for it. */
		openDeletion,
		/** Opens the form, ticks the box and presses the button. */
		deleteAccount: async () => {
			if (!(await sure.isVisible())) await openDeletion();
			await sure.check();
			await button(messages.deletion.submit).click();
		}
	};
};

export type SettingsScreen = ReturnType<typeof settingsOf>;
