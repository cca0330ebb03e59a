import { expect } from '@playwright/test';
import { messages } from '#lib/messages/messages.ts';
import { wrongCode } from '../../http/client.ts';
import { purchaseFor } from '../../http/own-app.ts';
import { FIREFOX, signInAndOut, signInOn } from '../other-devices.ts';
import { opened, state, type PageState, type Visit } from '../visit.ts';

const { accountDeleted, activity, app, confirmEmailChange, errors, flashes, signOut, yourData } =
	messages;
const HOUR = 3600;

const DEVICES = [
	'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1',
	FIREFOX,
	'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Safari/605.1.15',
	'curl/8.11.0',
	// The longest name that a device can have.
	'Mozilla/5.0 (compatible; MSIE 10.0; Windows Phone 8.0; Trident/6.0; IEMobile/10.0; ARM; Touch)',
	'a program of somebody'
];

/** With the device of the visit, 25. */
const MANY_DEVICES = Array.from({ length: 2 }, () => DEVICES).flat();

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
const offerToRestore = async (visit: Visit): Promise<void> => {
	await visit.arrive();
	await visit.call('delete-user', {});
	const code = await visit.requestCode();
	await visit.open('/auth/sign-in');
	await visit.on.enterCode(code);
	await expect(visit.page.getByRole('button', { name: accountDeleted.restore })).toBeVisible();
};

/** The pages of an account. */
export const accountPages: readonly PageState[] = [
	state('app', { alike: true }, async ({ arrive, open, on }) => {
		await arrive();
		await open('/app');
		await expect(on.heading(app.greeting)).toBeVisible();
	}),
	state('app-named', {}, async (visit) => {
		await signInOn(visit, DEVICES);
		await visit.arrive();
		await visit.call('update-user', { name: 'Ada Lovelace' });
		const product = 'Garden planner, one year';
		await purchaseFor(visit.server, visit.address, product);
		await visit.open('/app');
		await visit.see(product);
	}),
	state('settings', { alike: true }, async (visit) => {
		await inSettings(visit);
		await visit.see(messages.sessions.current);
	}),
	state('settings-saved', { alike: true }, async (visit) => {
		await inSettings(visit);
		await visit.inSettings.saveName('Ada Lovelace');
		await visit.see(messages.profile.saved);
	}),
	// Without JavaScript, the browser itself asks for the tick, and each form is a page of its own.
	state('settings-errors', { scripts: 'needed' }, async (visit) => {
		await inSettings(visit);
		await visit.inSettings.saveName('a'.repeat(201));
		await visit.see(errors.longName(200));
		await visit.inSettings.askForChange('ada at example');
		await visit.see(errors.invalidEmail);
		await visit.inSettings.openDeletion();
		await visit.page.getByRole('button', { name: messages.deletion.submit }).click();
		await visit.see(errors.unsure);
	}),
	state('settings-waiting', {}, async (visit) => {
		await inSettings(visit);
		await visit.inSettings.askForChange(visit.freshAddress());
		await visit.see(messages.emailChange.waiting);
	}),
	state('settings-devices', {}, async (visit) => {
		await signInOn(visit, DEVICES);
		await signInAndOut(visit);
		await inSettings(visit);
		await visit.see(messages.sessions.signedOut);
	}),
	state('settings-devices-first-page', { alike: true }, async (visit) => {
		await signInOn(visit, MANY_DEVICES);
		await inSettings(visit);
		await visit.see(messages.sessions.page(1, 2));
	}),
	state('settings-reauthentication', { on: 'other' }, async (visit) => {
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
		await visit.see(messages.emailChange.codeFor);
		const code = await mail.mailFor('reauthentication code', address);
		const proof = page.getByRole('textbox', { name: messages.code.label(6) });
		await proof.fill(wrongCode(code));
		await page.getByRole('button', { name: messages.emailChange.proceed }).click();
		await visit.see(errors.invalidCodeAttempts(4));
	}),
	state('sign-out', {}, async ({ arrive, open, on }) => {
		await arrive();
		await open('/auth/sign-out');
		await expect(on.heading(signOut.title)).toBeVisible();
	}),
	opened('verify-email-none', '/auth/verify-email', confirmEmailChange.none, { alike: true }),
	state('verify-email-signed-out', {}, async (visit) => {
		await visit.arrive();
		const link = await linkToNewAddress(visit);
		await visit.page.context().clearCookies();
		await visit.open(link);
		await visit.see(confirmEmailChange.signedOut);
	}),
	state('verify-email-refused', { alike: true }, async (visit) => {
		await visit.arrive();
		const link = await linkToNewAddress(visit);
		await visit.page.context().clearCookies();
		const other = visit.freshAddress();
		await visit.arrive(other);
		await visit.open(link);
		await visit.see(confirmEmailChange.refused(other));
	}),
	state('verify-email', {}, async (visit) => {
		await visit.arrive();
		await visit.open(await linkToNewAddress(visit));
		await visit.see(confirmEmailChange.effect);
	}),
	state('verify-email-applied', { alike: true }, async (visit) => {
		await visit.arrive();
		const link = await linkToNewAddress(visit);
		await visit.open(link);
		await visit.page.getByRole('button', { name: confirmEmailChange.submit }).click();
		await expect(visit.page).toHaveURL(/settings/);
		await visit.open(link);
		await visit.see(confirmEmailChange.appliedTitle);
	}),
	opened('account-deleted-unknown', '/auth/account-deleted', accountDeleted.unknown),
	state('account-deleted', {}, async (visit) => {
		await inSettings(visit);
		await visit.inSettings.deleteAccount();
		await visit.see(accountDeleted.grace(accountDeleted.account(visit.address)));
	}),
	state('account-deleted-offer', {}, offerToRestore),
	state('account-deleted-over', { alike: true }, async (visit) => {
		await offerToRestore(visit);
		await visit.passTime(601);
		await visit.page.getByRole('button', { name: accountDeleted.restore }).click();
		await visit.see(accountDeleted.over(accountDeleted.account(visit.address)));
	}),
	// Only a sign-in on the pages tells them that there was a session.
	state('flash-session-ended', {}, async ({ open, on, mail, address, page, ...visit }) => {
		await open('/auth/sign-in');
		await on.askForCode(address);
		await on.enterCode(await mail.codeFor(address));
		await expect(page).toHaveURL(/\/app$/);
		const own = `select id from "user" where email = '${address}'`;
		await visit.inDatabase(({ rows }) => rows(`delete from session where user_id in (${own})`));
		await open('/settings');
		await visit.see(flashes['session-ended']);
	}),
	state('activity', {}, async (visit) => {
		// The browser's clock stays at now, so what happened yesterday happens first.
		await visit.passTime(-26 * HOUR);
		await signInOn(visit, [FIREFOX]);
		await visit.arrive();
		await visit.guess(await visit.requestCode(), 3);
		await visit.call('revoke-other-sessions', {});
		await visit.passTime(26 * HOUR);
		await visit.requestCode();
		// The counts are stored within a second.
		const counts = visit.page.getByText(activity.event('code_refused', 3));
		await expect(async () => {
			await visit.open('/settings/activity');
			expect(await counts.isVisible()).toBe(true);
		}).toPass();
	}),
	state('sign-in-again', { alike: true }, async (visit) => {
		await visit.arrive();
		await visit.passTime(HOUR);
		await visit.open('/settings');
		await visit.page.getByRole('button', { name: yourData.download }).click();
		await visit.see(messages.emailStep.againTitle);
	})
];
