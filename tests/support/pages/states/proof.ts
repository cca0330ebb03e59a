import { expect } from '@playwright/test';
import { defaultPolicy } from '#lib/domain/policy.ts';
import { messages } from '#lib/messages/messages.ts';
import { anotherCode } from '../../e2e/mail-reader.ts';
import type { PageState, Visit } from '../visit.ts';

const { emailChange, proof } = messages;
const WORKER = '**/solver.worker*';

/** Uses up the sends of an email address that need no proof. */
const useFree = async ({ call }: Visit, email: string): Promise<void> => {
	for (let sent = 0; sent < defaultPolicy.throttle.networkFree; sent += 1) {
		await call('email-otp/send-verification-otp', { email, type: 'sign-in' });
	}
};

/** Enters so many wrong codes, over several email addresses, that each check needs a proof. */
const attack = async ({ requestCode, freshAddress, page, server }: Visit): Promise<void> => {
	const headers = { origin: server.address, 'sec-fetch-site': 'same-origin' };
	const url = `${server.address}/api/auth/sign-in/email-otp`;
	for (let wrong = 0; wrong <= defaultPolicy.guessing.proofAbove; wrong += 5) {
		const email = freshAddress();
		const otp = anotherCode(await requestCode(email));
		for (let guess = 0; guess < 5; guess += 1) {
			const own = { ...headers, 'x-forwarded-for': `198.51.${wrong}.${guess}` };
			await page.request.post(url, { headers: own, data: { email, otp } });
		}
	}
};

const continueButton = ({ page }: Visit) =>
	page.getByRole('button', { name: proof.proceed, exact: true });

/** The states in which a form needs a proof of work or of waiting, or nothing can be sent. */
export const proofPages: readonly PageState[] = [
	{
		name: 'email-proof-solving',
		reach: async (visit) => {
			await useFree(visit, visit.address);
			await visit.page.route(WORKER, () => undefined);
			await visit.open('/auth/sign-in?step=email');
			await visit.on.askForCode(visit.address);
			await visit.see(proof.solving);
		}
	},
	{
		name: 'email-proof-unable',
		reach: async (visit) => {
			await useFree(visit, visit.address);
			await visit.page.route(WORKER, (route) => route.abort());
			await visit.open('/auth/sign-in?step=email');
			await visit.on.askForCode(visit.address);
			await visit.see(proof.ticket(20));
			await expect(continueButton(visit)).toBeDisabled();
		}
	},
	{
		name: 'email-proof-ticket',
		reach: async (visit) => {
			await useFree(visit, visit.address);
			await visit.openPlain('/auth/sign-in?step=email');
			await visit.on.askForCode(visit.address);
			await visit.see(proof.ticket(20));
			await expect(visit.on.emailField).toHaveValue(visit.address);
		}
	},
	{
		name: 'email-proof-early',
		reach: async (visit) => {
			await useFree(visit, visit.address);
			await visit.openPlain('/auth/sign-in?step=email');
			await visit.on.askForCode(visit.address);
			await visit.passTime(8);
			await continueButton(visit).click();
			await visit.see(/That was a little too soon/);
		}
	},
	{
		name: 'email-next-free-send',
		reach: async ({ requestCode, passTime, open, on, see, address }) => {
			for (let sent = 1; sent <= 5; sent += 1) await requestCode();
			await passTime(12 * 60);
			await open('/auth/sign-in?step=email');
			await on.askForCode(address);
			await see(proof.waiting);
		}
	},
	{
		name: 'email-budget-used',
		on: 'frugal',
		reach: async ({ open, on, freshAddress, call, address }) => {
			await open('/auth/sign-in');
			for (let sent = 0; sent < 8; sent += 1) {
				await call('email-otp/send-verification-otp', {
					email: freshAddress(),
					type: 'sign-in'
				}).catch(() => undefined);
			}
			await on.askForCode(address);
			await expect(on.alert('We can’t send more emails right now.')).toBeVisible();
		}
	},
	{
		name: 'code-proof-solving',
		reach: async (visit) => {
			await useFree(visit, visit.address);
			await visit.passTime(31);
			await visit.page.route(WORKER, () => undefined);
			await visit.open('/auth/sign-in');
			await visit.on.resendButton.click();
			await visit.see(proof.solving);
		}
	},
	{
		name: 'code-proof-ticket',
		reach: async (visit) => {
			await useFree(visit, visit.address);
			await visit.passTime(31);
			await visit.openPlain('/auth/sign-in');
			await visit.on.resendButton.click();
			await visit.see(proof.ticket(20));
		}
	},
	{
		name: 'code-check-solving',
		on: 'attacked',
		reach: async (visit) => {
			await attack(visit);
			const sent = await visit.requestCode();
			await visit.passTime(1);
			await visit.page.route(WORKER, () => undefined);
			await visit.open('/auth/sign-in');
			await visit.on.enterCode(sent);
			await visit.see(proof.why.check);
		}
	},
	{
		name: 'code-check-ticket',
		on: 'attacked',
		reach: async (visit) => {
			await attack(visit);
			const sent = await visit.requestCode();
			await visit.passTime(1);
			await visit.openPlain('/auth/sign-in');
			await visit.on.codeField.fill(sent);
			await visit.on.continueButton.click();
			await visit.see(proof.why.check);
			await expect(visit.on.codeField).toHaveValue(sent);
		}
	},
	{
		name: 'settings-proof-ticket',
		reach: async (visit) => {
			const to = visit.freshAddress();
			await useFree(visit, to);
			await visit.page.context().clearCookies();
			await visit.arrive();
			await visit.openPlain('/settings');
			await visit.page.getByLabel(emailChange.label).fill(to);
			await visit.page.getByRole('button', { name: emailChange.submit, exact: true }).click();
			await visit.see(proof.ticket(20));
		}
	}
];
