import { expect } from '@playwright/test';
import { messages } from '#lib/messages/messages.ts';
import type { PageState, Visit } from '../../visit.ts';
import {
	attack,
	cannotSolve,
	continueButton,
	sendCodes,
	solvesForever,
	solvesWrongly,
	useBudget,
	useFree
} from './steps.ts';

const { code, proof } = messages;

/** Requests a third code on the page of the second one. */
const resendThird = async (visit: Visit): Promise<void> => {
	await useFree(visit, visit.address);
	await visit.passTime(31);
	await visit.open('/auth/sign-in');
	await visit.on.resendButton.click();
};

/** Enters a correct code while many wrong ones are entered. Returns it. */
const enterUnderAttack = async (visit: Visit): Promise<string> => {
	await attack(visit);
	const sent = await visit.requestCode();
	await visit.passTime(1);
	await visit.open('/auth/sign-in');
	await visit.on.enterCode(sent);
	return sent;
};

/** The code step while it needs a proof of work or of waiting, or nothing can be sent. */
export const codeProofPages: readonly PageState[] = [
	{
		name: 'code-proof-solving',
		scripts: 'needed',
		reach: async (visit) => {
			await solvesForever(visit);
			await resendThird(visit);
			await visit.see(proof.solving);
		}
	},
	{
		name: 'code-proof-unable',
		scripts: 'needed',
		pictureOnly: true,
		reach: async (visit) => {
			await cannotSolve(visit);
			await resendThird(visit);
			await visit.see(proof.ticket(20, code.resend));
		}
	},
	{
		name: 'code-proof-ticket',
		scripts: 'off',
		reach: async (visit) => {
			await resendThird(visit);
			await visit.see(proof.ticket(20, code.resend));
		}
	},
	{
		name: 'code-next-free-send',
		scripts: 'needed',
		pictureOnly: true,
		reach: async (visit) => {
			await sendCodes(visit, visit.address, 4);
			await visit.passTime(12 * 60);
			await visit.requestCode();
			await visit.passTime(31);
			await visit.open('/auth/sign-in');
			await visit.on.resendButton.click();
			await visit.see(proof.waiting);
		}
	},
	{
		name: 'code-budget-used',
		on: 'frugal',
		pictureOnly: true,
		reach: async (visit) => {
			// In an hour in which the other states on this server have sent nothing.
			await visit.passTime(3600);
			await visit.requestCode();
			await visit.passTime(31);
			await visit.open('/auth/sign-in');
			await useBudget(visit);
			await visit.on.resendButton.click();
			await expect(visit.on.alert('We can’t send more emails right now.')).toBeVisible();
		}
	},
	{
		name: 'code-check-solving',
		on: 'attacked',
		scripts: 'needed',
		reach: async (visit) => {
			await solvesForever(visit);
			await enterUnderAttack(visit);
			await visit.see(proof.why.check);
		}
	},
	{
		name: 'code-check-unable',
		on: 'attacked',
		scripts: 'needed',
		pictureOnly: true,
		reach: async (visit) => {
			await cannotSolve(visit);
			await enterUnderAttack(visit);
			await visit.see(proof.ticket(20, proof.proceed));
		}
	},
	{
		name: 'code-check-refused',
		on: 'attacked',
		scripts: 'needed',
		pictureOnly: true,
		reach: async (visit) => {
			await solvesWrongly(visit);
			await enterUnderAttack(visit);
			await visit.see(proof.again);
		}
	},
	{
		name: 'code-check-ticket',
		on: 'attacked',
		scripts: 'off',
		reach: async (visit) => {
			const sent = await enterUnderAttack(visit);
			await visit.see(proof.why.check);
			await expect(visit.on.codeField).toHaveValue(sent);
		}
	},
	{
		name: 'code-check-early',
		on: 'attacked',
		scripts: 'off',
		pictureOnly: true,
		reach: async (visit) => {
			await enterUnderAttack(visit);
			await visit.passTime(8);
			await continueButton(visit).click();
			await visit.see(/That was a little too soon/);
		}
	}
];
