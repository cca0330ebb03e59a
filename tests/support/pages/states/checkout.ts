import { expect } from '@playwright/test';
import { messages } from '#lib/messages/messages.ts';
import type { PageState, Visit } from '../visit.ts';
import { purchaseFor } from '../../http/own-app.ts';

const { checkout: texts } = messages;

const openPurchase = async (visit: Visit): Promise<void> =>
	visit.open(await purchaseFor(visit.server, visit.address, 'Field guide to gates'));

const askForCode = async (visit: Visit): Promise<void> => {
	await visit.page.getByRole('button', { name: texts.send }).click();
	await expect(visit.on.codeField).toBeVisible();
};

/** The pages after a payment. */
export const checkoutPages: readonly PageState[] = [
	{
		name: 'checkout-send',
		reach: async (visit) => {
			await openPurchase(visit);
			await visit.see(texts.claim);
		}
	},
	{
		name: 'checkout-code',
		reach: async (visit) => {
			await openPurchase(visit);
			await askForCode(visit);
		}
	},
	{
		name: 'checkout-done',
		reach: async (visit) => {
			await openPurchase(visit);
			await askForCode(visit);
			await visit.on.enterCode(await visit.mail.codeFor(visit.address));
			await expect(visit.on.heading(texts.done)).toBeVisible();
		}
	}
];
