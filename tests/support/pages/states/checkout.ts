import { expect } from '@playwright/test';
import { defaultPolicy } from '#lib/domain/policy.ts';
import { messages } from '#lib/messages/messages.ts';
import type { PageState, Visit } from '../visit.ts';
import { purchaseFor } from '../../http/own-app.ts';

const { checkout: texts } = messages;

const openPurchase = async (visit: Visit): Promise<string> => {
	const path = await purchaseFor(visit.server, visit.address, 'Field guide to gates');
	await visit.open(path);
	return path;
};

/** Moves the account of this browser to another address. */
const moveTo = async ({ call, mail }: Visit, newEmail: string): Promise<void> => {
	await call('email-otp/request-email-change', { newEmail });
	await call('email-otp/change-email', { newEmail, otp: await mail.changeCodeFor(newEmail) });
};

const askForCode = async (visit: Visit): Promise<void> => {
	await visit.page.getByRole('button', { name: texts.send }).click();
	await expect(visit.on.codeField).toBeVisible();
};

const claim = async (visit: Visit): Promise<string> => {
	const path = await openPurchase(visit);
	await askForCode(visit);
	await visit.on.enterCode(await visit.mail.codeFor(visit.address));
	await expect(visit.on.heading(texts.done)).toBeVisible();
	return path;
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
		name: 'checkout-claim',
		alike: true,
		reach: async (visit) => {
			const path = await openPurchase(visit);
			await visit.arrive(visit.freshAddress());
			await moveTo(visit, visit.address);
			await visit.open(path);
			await visit.see(texts.add);
		}
	},
	{ name: 'checkout-done', reach: async (visit) => void (await claim(visit)) },
	{
		name: 'checkout-taken',
		alike: true,
		reach: async (visit) => {
			const path = await claim(visit);
			await moveTo(visit, visit.freshAddress());
			await visit.page.context().clearCookies();
			// Until then the old address can only undo the change.
			await visit.passTime(defaultPolicy.emailChange.undoFor + 1);
			await visit.arrive();
			await visit.open(path);
			await visit.see(texts.takenText);
		}
	},
	{
		name: 'checkout-unknown',
		alike: true,
		reach: async ({ open, see }) => {
			await open('/checkout/success?reference=no-such-purchase');
			await see(texts.unknownText);
		}
	}
];
