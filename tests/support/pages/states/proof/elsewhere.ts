import { expect } from '@playwright/test';
import { messages } from '#lib/messages/messages.ts';
import { purchaseFor } from '../../../http/purchase-for.ts';
import type { PageState, Visit } from '../../visit.ts';
import { sendCodes, solvesForever, useBudget, useFree } from './steps.ts';

const { checkout, errors, proof } = messages;
const OVER_BUDGET = 'We can’t send more emails right now.';

/** Sends codes from this network and then continues in a browser that requested none. */
const sendElsewhere = async (visit: Visit, email: string, times?: number): Promise<void> => {
	await (times === undefined ? useFree(visit, email) : sendCodes(visit, email, times));
	await visit.page.context().clearCookies();
};

const askOnCheckout = async (visit: Visit): Promise<void> => {
	await visit.open(await purchaseFor(visit.server, visit.address, 'Field guide to gates'));
	await visit.page.getByRole('button', { name: checkout.send }).click();
};

const askInSettings = async (visit: Visit, to: string): Promise<void> => {
	await visit.arrive();
	await visit.open('/settings');
	await visit.inSettings.askForChange(to);
};

/** The other forms that send emails, while they need a proof or nothing can be sent. */
export const otherProofPages: readonly PageState[] = [
	{
		name: 'checkout-proof-solving',
		scripts: 'needed',
		reach: async (visit) => {
			await solvesForever(visit);
			await sendElsewhere(visit, visit.address);
			await askOnCheckout(visit);
			await visit.see(proof.solving);
		}
	},
	{
		name: 'checkout-proof-ticket',
		scripts: 'off',
		pictureOnly: true,
		reach: async (visit) => {
			await sendElsewhere(visit, visit.address);
			await askOnCheckout(visit);
			await visit.see(proof.ticket(20, proof.proceed));
		}
	},
	{
		name: 'checkout-throttled',
		pictureOnly: true,
		reach: async (visit) => {
			await sendElsewhere(visit, visit.address, 5);
			await askOnCheckout(visit);
			await expect(visit.on.alert(errors.tooManySendsNow(true))).toBeVisible();
		}
	},
	{
		name: 'checkout-budget-used',
		on: 'frugal',
		pictureOnly: true,
		reach: async (visit) => {
			await useBudget(visit);
			await visit.page.context().clearCookies();
			await askOnCheckout(visit);
			await expect(visit.on.alert(OVER_BUDGET)).toBeVisible();
		}
	},
	{
		name: 'settings-proof-solving',
		scripts: 'needed',
		pictureOnly: true,
		reach: async (visit) => {
			const to = visit.freshAddress();
			await solvesForever(visit);
			await sendElsewhere(visit, to);
			await askInSettings(visit, to);
			await visit.see(proof.solving);
		}
	},
	{
		name: 'settings-proof-ticket',
		scripts: 'off',
		reach: async (visit) => {
			const to = visit.freshAddress();
			await sendElsewhere(visit, to);
			await askInSettings(visit, to);
			await visit.see(proof.ticket(20, proof.proceed));
		}
	},
	{
		name: 'settings-throttled',
		pictureOnly: true,
		reach: async (visit) => {
			const to = visit.freshAddress();
			await sendElsewhere(visit, to, 5);
			await askInSettings(visit, to);
			await expect(visit.on.alert(errors.tooManySendsNow(true))).toBeVisible();
		}
	},
	{
		name: 'settings-budget-used',
		on: 'frugal',
		pictureOnly: true,
		reach: async (visit) => {
			// In an hour in which the other states on this server have sent nothing.
			await visit.passTime(2 * 3600);
			await visit.arrive();
			await useBudget(visit);
			await visit.open('/settings');
			await visit.inSettings.askForChange(visit.freshAddress());
			await expect(visit.on.alert(OVER_BUDGET)).toBeVisible();
		}
	}
];
