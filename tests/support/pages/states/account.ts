import { expect } from '@playwright/test';
import { messages } from '#lib/messages/messages.ts';
import { anotherCode } from '../../e2e/mail-reader.ts';
import { purchaseFor } from '../../http/own-app.ts';
import { signInOn } from '../other-devices.ts';
import type { PageState, Visit } from '../visit.ts';

const { accountDeleted, app, errors, signOut, verifyEmail } = messages;

const DEVICES = [
	'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1',
	'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:132.0) Gecko/20100101 Firefox/132.0',
	'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Safari/605.1.15',
	'curl/8.11.0',
	// The longest name that a device can have.
	'Mozilla/5.0 (compatible; MSIE 10.0; Windows Phone 8.0; Trident/6.0; IEMobile/10.0; ARM; Touch)',
	'a program of somebody'
];

/** With the device of the visit, 25. */
const MANY_DEVICES = Array.from({ length: 4 }, () => DEVICES).flat();

const inSettingsOf = async (visit: Visit, userAgents: readonly string[]): Promise<void> => {
	await signInOn(visit, userAgents);
	await inSettings(visit);
};

const inSettings = async ({ arrive, open }: Visit): Promise<void> => {
	await arrive();
	await open('/settings');
};

/** A link to a new address, requested by the signed-in user. */
const linkToNewAddress = async ({ call, freshAddress, mail }: Visit): Promise<string> => {
	const newEmail = freshAddress();
	await call('change-email', { newEmail });
	return mail.linkFor(newEmail);
};

/** Deletes the account of this visit and enters a code for it, which leads to the restore offer. */
const offerToRestore = async ({
	arrive,
	call,
	requestCode,
	open,
	on,
	page
}: Visit): Promise<void> => {
	await arrive();
	await call('delete-user', {});
	const code = await requestCode();
	await open('/auth/sign-in');
	await on.enterCode(code);
	await expect(page.getByRole('button', { name: accountDeleted.restore })).toBeVisible();
};

/** The pages of an account. */
export const accountPages: readonly PageState[] = [
	{
		name: 'app',
		alike: true,
		reach: async ({ arrive, open, on }) => {
			await arrive();
			await open('/app');
			await expect(on.heading(app.greeting)).toBeVisible();
		}
	},
	{
		name: 'app-named',
		reach: async (visit) => {
			await signInOn(visit, DEVICES);
			await visit.arrive();
			await visit.call('update-user', { name: 'Ada Lovelace' });
			const product = 'Garden planner, one year';
			await purchaseFor(visit.server, visit.address, product);
			await visit.open('/app');
			await visit.see(product);
		}
	},
	{
		name: 'settings',
		alike: true,
		reach: async (visit) => {
			await inSettings(visit);
			await visit.see(messages.sessions.activeNow);
		}
	},
	{
		name: 'settings-saved',
		alike: true,
		reach: async (visit) => {
			await inSettings(visit);
			await visit.inSettings.saveName('Ada Lovelace');
			await visit.see(messages.profile.saved);
		}
	},
	{
		name: 'settings-errors',
		// Without JavaScript, the browser itself asks for the tick, and each form is a page of its own.
		scripts: 'needed',
		reach: async (visit) => {
			await inSettings(visit);
			await visit.inSettings.saveName('a'.repeat(201));
			await visit.see(errors.longName(200));
			await visit.inSettings.askForChange('ada at example');
			await visit.see(errors.invalidEmail);
			await visit.inSettings.openDeletion();
			await visit.page.getByRole('button', { name: messages.deletion.submit }).click();
			await visit.see(errors.unsure);
		}
	},
	{
		name: 'settings-waiting',
		reach: async (visit) => {
			await inSettings(visit);
			await visit.inSettings.askForChange(visit.freshAddress());
			await visit.see(messages.emailChange.waiting);
		}
	},
	{
		name: 'settings-devices',
		reach: async (visit) => {
			await inSettingsOf(visit, DEVICES);
			await visit.see(messages.device.unknown);
		}
	},
	{
		name: 'settings-devices-first-page',
		alike: true,
		reach: async (visit) => {
			await inSettingsOf(visit, MANY_DEVICES);
			await visit.see(messages.sessions.page(1, 2));
		}
	},
	{
		name: 'settings-reauthentication',
		on: 'other',
		reach: async (visit) => {
			const { page, mail, address, freshAddress } = visit;
			await visit.arrive();
			// Shows the other settings of this server as well: a consent, and a support address.
			await page.context().request.post(`${visit.server.address}/api/marketing-consent`, {
				headers: { origin: visit.server.address },
				data: {}
			});
			await visit.passTime(16 * 60);
			await visit.open('/settings');
			await visit.inSettings.askForChange(freshAddress());
			await visit.see(messages.emailChange.codeSent(address));
			const code = await mail.mailFor('reauthentication code', address);
			const proof = page.getByRole('textbox', { name: messages.emailChange.codeLabel });
			await proof.fill(anotherCode(code));
			await page.getByRole('button', { name: messages.emailChange.proceed }).click();
			await visit.see(errors.invalidCodeAttempts(4));
		}
	},
	{
		name: 'sign-out',
		reach: async ({ arrive, open, on }) => {
			await arrive();
			await open('/auth/sign-out');
			await expect(on.heading(signOut.title)).toBeVisible();
		}
	},
	{
		name: 'verify-email-none',
		alike: true,
		reach: async ({ open, see }) => {
			await open('/auth/verify-email');
			await see(verifyEmail.none);
		}
	},
	{
		name: 'verify-email-signed-out',
		reach: async (visit) => {
			await visit.arrive();
			const link = await linkToNewAddress(visit);
			await visit.page.context().clearCookies();
			await visit.open(link);
			await visit.see(verifyEmail.signedOut);
		}
	},
	{
		name: 'verify-email-refused',
		alike: true,
		reach: async (visit) => {
			await visit.arrive();
			const link = await linkToNewAddress(visit);
			await visit.page.context().clearCookies();
			await visit.arrive(visit.freshAddress());
			await visit.open(link);
			await visit.see(verifyEmail.refused);
		}
	},
	{
		name: 'verify-email',
		reach: async (visit) => {
			await visit.arrive();
			await visit.open(await linkToNewAddress(visit));
			await visit.see(verifyEmail.points[0] ?? '');
		}
	},
	{
		name: 'account-deleted',
		reach: async (visit) => {
			await inSettings(visit);
			await visit.inSettings.deleteAccount();
			await visit.see(accountDeleted.grace(visit.address));
		}
	},
	{ name: 'account-deleted-offer', reach: offerToRestore },
	{
		name: 'account-deleted-over',
		alike: true,
		reach: async (visit) => {
			await offerToRestore(visit);
			await visit.passTime(601);
			await visit.page.getByRole('button', { name: accountDeleted.restore }).click();
			await visit.see(accountDeleted.over(visit.address));
		}
	}
];
