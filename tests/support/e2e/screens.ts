import { expect, type Locator, type Page } from '@playwright/test';
import { brand } from '#lib/brand/brand.ts';
import { OTP_LENGTH } from '#lib/domain/sign-in/code.ts';
import { messages } from '#lib/messages/messages.ts';
import { hydrated } from './arrival.ts';

/** The name of the site in tests. */
export const SITE = brand.name;

/** What a user sees and does on the pages of the sign-in flow. */
export const screensOf = (page: Page, scripted: boolean) => {
	const { code, common, consent, emailStep } = messages;
	const button = (name: string): Locator => page.getByRole('button', { name, exact: true });
	const field = (name: string): Locator => page.getByRole('textbox', { name, exact: true });
	const emailField = field(emailStep.label);
	const sendButton = button(emailStep.submit);
	const fieldOfCode = (isSecond: boolean): Locator =>
		field(code.label(null, isSecond)).or(field(code.label(OTP_LENGTH, isSecond)));
	const codeField = fieldOfCode(false).or(fieldOfCode(true));
	const continueButton = button(code.submit);
	const resendButton = button(code.resend);
	return {
		emailField,
		consentBox: page.getByRole('checkbox', { name: consent.label, exact: true }),
		sendButton,
		codeField,
		continueButton,
		resendButton,
		otherAddressLink: page.getByRole('link', { name: code.other, exact: true }),
		signOutButton: page.getByRole('banner').getByRole('button', { name: common.signOut }),
		/** Offers the email address that last signed in in this browser. */
		continueAs: (email: string) => button(emailStep.continueAs(email)),
		heading: (name: string) => page.getByRole('heading', { name, exact: true, level: 1 }),
		/** The message in its box, which screen readers announce immediately. */
		alert: (hasText: string) => page.getByRole('alert').filter({ hasText }),
		askForCode: async (to: string) => {
			await emailField.fill(to);
			await sendButton.click();
		},
		/** Sends another code, once its time has come, and waits until the page shows it. */
		sendAgain: async () => {
			// Without JavaScript, the button of this page stays disabled when its time is over.
			const reload = page.getByRole('link', { name: common.thenReload, exact: true });
			if (!scripted && (await reload.isVisible())) await reload.click();
			await resendButton.click();
			await expect(fieldOfCode(true)).toBeVisible();
			await expect(resendButton).toBeDisabled();
		},
		/** Types a code; without JavaScript, only the button sends it. */
		enterCode: async (typed: string) => {
			await codeField.waitFor();
			// A code that was typed before the scripts are active is not sent by itself.
			if (scripted) await hydrated(page);
			await codeField.fill(typed);
			if (!scripted) await continueButton.click();
		}
	};
};

export type Screens = ReturnType<typeof screensOf>;
