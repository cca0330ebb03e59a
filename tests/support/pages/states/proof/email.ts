import { expect } from '@playwright/test';
import { defaultPolicy } from '#lib/domain/policy.ts';
import { messages } from '#lib/messages/messages.ts';
import { sendFromElsewhere } from '../../../e2e/arrival.ts';
import type { PageState, Visit } from '../../visit.ts';
import {
	cannotSolve,
	continueButton,
	EMAIL_STEP,
	sendCodes,
	solvesForever,
	solvesWrongly,
	useBudget,
	useFree
} from './steps.ts';

const { errors, proof } = messages;
const NO_TICKET = 'Turn on JavaScript and try again';
const OVER_BUDGET = 'We can’t send more emails right now.';

/** Earlier, the page would show the code that this browser requested last. */
const RESEND_AFTER = defaultPolicy.code.resendAfter;

const askForThird = async (visit: Visit): Promise<void> => {
	await useFree(visit, visit.address);
	await visit.passTime(RESEND_AFTER);
	await visit.open(EMAIL_STEP);
	await visit.on.askForCode(visit.address);
};

/** Uses up the emails that the frugal server sends for tickets, without JavaScript. */
const useTickets = async (visit: Visit): Promise<void> => {
	const email = visit.freshAddress();
	await sendCodes(visit, email, 1);
	await visit.passTime(RESEND_AFTER);
	await visit.open(EMAIL_STEP);
	await visit.on.askForCode(email);
	await visit.see(proof.ticket(20, proof.proceed));
	await visit.passTime(20);
	await continueButton(visit).click();
	await expect(visit.on.codeField.or(visit.page.getByText(NO_TICKET))).toBeVisible();
	await visit.changeNetwork();
};

/** Requests five codes, waits, and asks for another one shortly before it can be sent. */
const askTooSoon = async (visit: Visit): Promise<void> => {
	await sendFromElsewhere(visit.server, visit.address, 5);
	await visit.passTime(12 * 60);
	await visit.open(EMAIL_STEP);
	await visit.on.askForCode(visit.address);
};

/** The email step while it needs a proof of work or of waiting, or nothing can be sent. */
export const emailProofPages: readonly PageState[] = [
	{
		name: 'email-proof-solving',
		scripts: 'needed',
		reach: async (visit) => {
			await solvesForever(visit);
			await askForThird(visit);
			await visit.see(proof.solving);
		}
	},
	{
		name: 'email-proof-unable',
		scripts: 'needed',
		reach: async (visit) => {
			await cannotSolve(visit);
			await askForThird(visit);
			await visit.see(proof.ticket(20, proof.proceed));
			await expect(continueButton(visit)).toBeDisabled();
		}
	},
	{
		name: 'email-proof-unable-ready',
		scripts: 'needed',
		pictureOnly: true,
		reach: async (visit) => {
			await cannotSolve(visit);
			await visit.page.clock.install();
			await askForThird(visit);
			await expect(continueButton(visit)).toBeDisabled();
			await visit.page.clock.fastForward(20_000);
			await visit.see(proof.ready(proof.proceed));
		}
	},
	{
		name: 'email-proof-refused',
		scripts: 'needed',
		reach: async (visit) => {
			await solvesWrongly(visit);
			await askForThird(visit);
			await visit.see(proof.again);
		}
	},
	{
		name: 'email-proof-ticket',
		scripts: 'off',
		reach: async (visit) => {
			await askForThird(visit);
			await visit.see(proof.ticket(20, proof.proceed));
			await expect(visit.on.emailField).toHaveValue(visit.address);
		}
	},
	{
		name: 'email-proof-early',
		scripts: 'off',
		reach: async (visit) => {
			await askForThird(visit);
			await visit.passTime(8);
			await continueButton(visit).click();
			await visit.see(/That was a little too soon/);
		}
	},
	{
		name: 'email-proof-expired',
		scripts: 'off',
		pictureOnly: true,
		reach: async (visit) => {
			await askForThird(visit);
			await visit.passTime(301);
			await continueButton(visit).click();
			await visit.see(proof.ticket(20, proof.proceed));
		}
	},
	{
		name: 'email-proof-no-ticket',
		on: 'frugal',
		scripts: 'off',
		pictureOnly: true,
		reach: async (visit) => {
			await useTickets(visit);
			await sendCodes(visit, visit.address, 1);
			await visit.passTime(RESEND_AFTER);
			await visit.open(EMAIL_STEP);
			await visit.on.askForCode(visit.address);
			await visit.see(NO_TICKET);
		}
	},
	{
		name: 'email-next-free-send',
		scripts: 'needed',
		reach: async (visit) => {
			await askTooSoon(visit);
			await visit.see(proof.waiting);
		}
	},
	{
		name: 'email-throttled-known',
		pictureOnly: true,
		reach: async (visit) => {
			const { call, requestCode, address: email } = visit;
			await call('sign-in/email-otp', { email, otp: await requestCode() });
			await call('sign-out', {});
			// From this browser: its own sends have a count of their own.
			await sendCodes(visit, visit.address, 5);
			await visit.passTime(RESEND_AFTER);
			await visit.open(EMAIL_STEP);
			await visit.on.askForCode(visit.address);
			await expect(visit.on.alert(errors.tooManySendsNow(true))).toBeVisible();
		}
	},
	{
		name: 'email-budget-used',
		on: 'frugal',
		reach: async (visit) => {
			await useBudget(visit);
			await visit.open(EMAIL_STEP);
			await visit.on.askForCode(visit.address);
			await expect(visit.on.alert(OVER_BUDGET)).toBeVisible();
		}
	}
];
