import { expect } from '@playwright/test';
import { messages } from '#lib/messages/messages.ts';
import { SITE } from '../../e2e/screens.ts';
import { wrongCode } from '../../http/client.ts';
import { reportBounce } from '../../mail/report-bounce.ts';
import { opened, state, type PageState } from '../visit.ts';

const { emailStep: words, code, errors, login, signIn, signUp } = messages;

/** The email and code steps, with each of their messages. */
export const signInPages: readonly PageState[] = [
	opened('sign-up', '/auth/sign-up', signUp.heading(SITE)),
	opened('sign-in', '/auth/sign-in', signIn.heading(SITE), { alike: true }),
	opened('sign-in-or-up', '/auth/login', login.heading(SITE), { alike: true, on: 'other' }),
	state('sign-in-again', {}, async ({ open, on, call, requestCode, page, address }) => {
		await call('sign-in/email-otp', { email: address, otp: await requestCode() });
		await page.context().clearCookies({ name: /session|cache/ });
		await open('/auth/sign-in');
		await expect(on.continueAs(address)).toBeVisible();
	}),
	state('email-invalid', {}, async ({ open, on, see }) => {
		await open('/auth/sign-up');
		await on.askForCode('ada at example');
		await see(errors.invalidEmail);
	}),
	state('email-undelivered', { alike: true, on: 'mailless' }, async ({ open, on, address }) => {
		await open('/auth/sign-in');
		await on.askForCode(address);
		await expect(on.alert(errors.deliveryFailed)).toBeVisible();
	}),
	state('email-no-cookies', { scripts: 'needed' }, async ({ page, open, on, address, see }) => {
		await open('/auth/sign-in');
		await page.context().clearCookies();
		await on.askForCode(address);
		await see(messages.faults.noCookie);
	}),
	state('email-while-waiting', {}, async ({ requestCode, open, on, address }) => {
		await requestCode();
		await open('/auth/sign-in?step=email');
		await expect(on.emailField).toHaveValue(address);
	}),
	state('code', {}, async ({ requestCode, open, on, address }) => {
		await requestCode(address.replace('@example.com', '@gmail.com'));
		await open('/auth/sign-in');
		await expect(on.codeField).toBeVisible();
	}),
	state('code-typo', {}, async ({ requestCode, open, address, see }) => {
		await requestCode(address.replace('@example.com', '@gmail.con'));
		await open('/auth/sign-in');
		await see(words.sendThere(address.replace('@example.com', '@gmail.com')));
	}),
	state('code-incomplete', { alike: true, scripts: 'needed' }, async (visit) => {
		await visit.requestCode();
		await visit.open('/auth/sign-in');
		await visit.on.codeField.fill('123');
		await visit.on.continueButton.click();
		await visit.see(messages.inputErrors.incompleteDigits(6));
	}),
	state('code-wrong', {}, async ({ requestCode, open, on, see }) => {
		const sent = await requestCode();
		await open('/auth/sign-in');
		await on.enterCode(wrongCode(sent));
		await see(errors.invalidCodeAttempts(4));
	}),
	state('code-elsewhere', { alike: true }, async ({ open, on, requestCode, ...visit }) => {
		const sent = await requestCode();
		await open('/auth/sign-in');
		const own = `delete from verification where email = '${visit.address}'`;
		await visit.inDatabase(({ rows }) => rows(own));
		await on.enterCode(sent);
		await expect(on.heading(code.states.elsewhere.title)).toBeVisible();
	}),
	state('code-expired', { alike: true }, async ({ requestCode, passTime, open, on }) => {
		await requestCode();
		await passTime(601);
		await open('/auth/sign-in');
		await expect(on.heading(code.states.expired.title)).toBeVisible();
	}),
	state('code-exhausted', {}, async ({ requestCode, guess, open, on }) => {
		await guess(await requestCode(), 5);
		await open('/auth/sign-in');
		await expect(on.heading(code.states.exhausted.title)).toBeVisible();
		await expect(on.resendButton).toBeVisible();
	}),
	state('code-resent', { alike: true }, async ({ requestCode, passTime, open, on }) => {
		await requestCode();
		await passTime(31);
		await open('/auth/sign-in');
		await on.sendAgain();
	}),
	state('code-bounced', { alike: true }, async ({ requestCode, server, open, on, address }) => {
		await requestCode();
		await reportBounce(server, address);
		await open('/auth/sign-up');
		await expect(on.alert(words.bounced)).toBeVisible();
	}),
	state('flash-account-created', { alike: true }, async ({ requestCode, open, on, see }) => {
		const sent = await requestCode();
		await open('/auth/sign-in');
		await on.enterCode(sent);
		await see(messages.flashes['account-created']);
	})
];
