import { expect } from '@playwright/test';
import { maskEmail, type Email } from '#lib/domain/email.ts';
import { defaultPolicy } from '#lib/domain/policy.ts';
import { messages } from '#lib/messages/messages.ts';
import { opened, state, type PageState, type Visit } from '../visit.ts';
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
	state('checkout-send', {}, async (visit) => {
		await openPurchase(visit);
		await visit.see(texts.claim(maskEmail(visit.address as Email)));
	}),
	state('checkout-code', {}, async (visit) => {
		await openPurchase(visit);
		await askForCode(visit);
	}),
	state('checkout-claim', { alike: true }, async (visit) => {
		const path = await openPurchase(visit);
		await visit.arrive(visit.freshAddress());
		await moveTo(visit, visit.address);
		await visit.open(path);
		await visit.see(texts.add(visit.address));
	}),
	state('checkout-done', {}, async (visit) => void (await claim(visit))),
	state('checkout-taken', { alike: true }, async (visit) => {
		const path = await claim(visit);
		await moveTo(visit, visit.freshAddress());
		await visit.page.context().clearCookies();
		// Until then the old address can only undo the change.
		await visit.passTime(defaultPolicy.emailChange.undoFor + 1);
		await visit.arrive();
		await visit.open(path);
		await visit.see(texts.taken);
	}),
	opened('checkout-unknown', '/checkout/success?reference=none', texts.unknownText, {
		alike: true
	})
];
