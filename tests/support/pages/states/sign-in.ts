import { expect } from '@playwright/test';
import { messages } from '#lib/messages/messages.ts';
import { SITE } from '../../e2e/screens.ts';
import { anotherCode } from '../../e2e/mail-reader.ts';
import { reportBounce } from '../../mail/report-bounce.ts';
import type { PageState } from '../visit.ts';

const { address: words, code, errors, refusals, login, signIn, signUp } = messages;

/** The email and code steps, with each of their messages. */
export const signInPages: readonly PageState[] = [
	{
		name: 'sign-up',
		reach: async ({ open, on }) => {
			await open('/auth/sign-up');
			await expect(on.heading(signUp.heading(SITE))).toBeVisible();
		}
	},
	{
		name: 'sign-in',
		alike: true,
		reach: async ({ open, on }) => {
			await open('/auth/sign-in');
			await expect(on.heading(signIn.heading(SITE))).toBeVisible();
		}
	},
	{
		name: 'sign-in-or-up',
		alike: true,
		on: 'other',
		reach: async ({ open, on }) => {
			await open('/auth/login');
			await expect(on.heading(login.heading(SITE))).toBeVisible();
		}
	},
	{
		name: 'sign-in-again',
		reach: async ({ open, on, call, requestCode, page, address }) => {
			await call('sign-in/email-otp', { email: address, otp: await requestCode() });
			await page.context().clearCookies({ name: /session|cache/ });
			await open('/auth/sign-in');
			await expect(on.continueAs(address)).toBeVisible();
		}
	},
	{
		name: 'email-invalid',
		reach: async ({ open, on, see }) => {
			await open('/auth/sign-up');
			await on.askForCode('ada at example');
			await see(errors.invalidEmail);
		}
	},
	{
		name: 'email-slip',
		scripts: 'needed',
		reach: async ({ open, on, see }) => {
			await open('/auth/sign-in');
			await on.emailField.fill('ada@gmail.con');
			await on.emailField.dispatchEvent('change');
			await see(words.meant('ada@gmail.com'));
		}
	},
	{
		name: 'email-undelivered',
		alike: true,
		on: 'mailless',
		reach: async ({ open, on, address }) => {
			await open('/auth/sign-in');
			await on.askForCode(address);
			await expect(on.alert(errors.deliveryFailed)).toBeVisible();
		}
	},
	{
		name: 'email-no-cookies',
		scripts: 'needed',
		reach: async ({ page, open, on, address }) => {
			await open('/auth/sign-in');
			await page.context().clearCookies();
			await on.askForCode(address);
			await expect(on.alert(refusals.noCookie)).toBeVisible();
		}
	},
	{
		name: 'email-while-waiting',
		reach: async ({ requestCode, open, on, address }) => {
			await requestCode();
			await open('/auth/sign-in?step=email');
			await expect(on.emailField).toHaveValue(address);
		}
	},
	{
		name: 'code',
		reach: async ({ requestCode, open, on, address }) => {
			await requestCode(address.replace('@example.com', '@gmail.com'));
			await open('/auth/sign-in');
			await expect(on.codeField).toBeVisible();
		}
	},
	{
		name: 'code-slip',
		reach: async ({ requestCode, open, address, see }) => {
			await requestCode(address.replace('@example.com', '@gmail.con'));
			await open('/auth/sign-in');
			await see(words.meant(address.replace('@example.com', '@gmail.com')));
		}
	},
	{
		name: 'code-incomplete',
		alike: true,
		scripts: 'needed',
		reach: async ({ requestCode, open, on, see }) => {
			await requestCode();
			await open('/auth/sign-in');
			await on.codeField.fill('123');
			await on.continueButton.click();
			await see(messages.inputErrors.incompleteDigits(6));
		}
	},
	{
		name: 'code-wrong',
		reach: async ({ requestCode, open, on, see }) => {
			const sent = await requestCode();
			await open('/auth/sign-in');
			await on.enterCode(anotherCode(sent));
			await see(errors.invalidCodeAttempts(4));
		}
	},
	{
		name: 'code-expired',
		alike: true,
		reach: async ({ requestCode, passTime, open, on }) => {
			await requestCode();
			await passTime(601);
			await open('/auth/sign-in');
			await expect(on.alert(code.expired)).toBeVisible();
		}
	},
	{
		name: 'code-exhausted',
		reach: async ({ requestCode, guess, open, on }) => {
			await guess(await requestCode(), 5);
			await open('/auth/sign-in');
			await expect(on.alert(code.exhausted)).toBeVisible();
			await expect(on.resendButton).toBeVisible();
		}
	},
	{
		name: 'code-resent',
		alike: true,
		reach: async ({ requestCode, passTime, open, on }) => {
			await requestCode();
			await passTime(31);
			await open('/auth/sign-in');
			await on.sendAgain();
		}
	},
	{
		name: 'code-bounced',
		alike: true,
		reach: async ({ requestCode, server, open, on, address }) => {
			await requestCode();
			await reportBounce(server, address);
			await open('/auth/sign-up');
			await expect(on.alert(words.bounced(address))).toBeVisible();
		}
	}
];
