import { expect } from '@playwright/test';
import { messages } from '#lib/messages/messages.ts';
import { openDatabase } from '../../http/database.ts';
import type { PageState, Visit } from '../visit.ts';

const { accountDeleted, code, notices, refusals, verifyEmail } = messages;

/** Uses up the limit of this client for a form action. */
const spend = async ({ page, server }: Visit, action: string, times: number): Promise<void> => {
	const url = `${server.address}/auth/sign-in?/${action}`;
	const headers = { origin: server.address };
	const { request } = page.context();
	await Promise.all(Array.from({ length: times }, () => request.post(url, { headers, form: {} })));
};

/** Signs in on the pages, which then know that there was a session. */
const signInOnPages = async ({ open, on, mail, address, page }: Visit): Promise<void> => {
	await open('/auth/sign-in');
	await on.askForCode(address);
	await on.enterCode(await mail.codeFor(address));
	await expect(page).toHaveURL(/\/app$/);
};

/** What people see after something was refused, ended or used up. */
export const refusedPages: readonly PageState[] = [
	{
		name: 'email-limited',
		reach: async (visit) => {
			await visit.open('/auth/sign-in');
			await spend(visit, 'request', 20);
			await visit.on.askForCode(visit.address);
			await expect(visit.on.alert(refusals.tooOftenNow)).toBeVisible();
		}
	},
	{
		name: 'code-limited-plain',
		scripts: 'off',
		pictureOnly: true,
		reach: async (visit) => {
			const sent = await visit.requestCode();
			await spend(visit, 'verify', 30);
			await visit.open('/auth/sign-in');
			await visit.on.codeField.fill(sent);
			await visit.on.continueButton.click();
			await expect(visit.on.alert(refusals.tooOftenNow)).toBeVisible();
			await expect(visit.on.codeField).toBeVisible();
		}
	},
	{
		name: 'code-of-another-browser',
		pictureOnly: true,
		reach: async (visit) => {
			await visit.requestCode();
			await visit.open('/auth/sign-in');
			// Its code was used in another tab.
			const database = openDatabase(visit.server.databaseUrl);
			await database.rows(`delete from verification where email = '${visit.address}'`);
			await database.close();
			await visit.on.enterCode('123456');
			await visit.see(code.elsewhere);
		}
	},
	{
		name: 'notice-signed-out',
		pictureOnly: true,
		reach: async (visit) => {
			await visit.arrive();
			await visit.open('/app');
			await visit.on.signOutButton.click();
			await visit.see(notices['signed-out']);
		}
	},
	{
		name: 'notice-session-ended',
		reach: async (visit) => {
			await signInOnPages(visit);
			const database = openDatabase(visit.server.databaseUrl);
			const own = `select id from "user" where email = '${visit.address}'`;
			await database.rows(`delete from session where user_id in (${own})`);
			await database.close();
			await visit.open('/settings');
			await visit.see(notices['session-ended']);
		}
	},
	{
		name: 'settings-kept-name',
		pictureOnly: true,
		reach: async (visit) => {
			await visit.arrive();
			await visit.open('/settings');
			await visit.page.context().clearCookies({ name: 'postern_session' });
			await visit.inSettings.saveName('Ada Lovelace');
			await visit.on.askForCode(visit.address);
			await visit.on.enterCode(await visit.mail.codeFor(visit.address));
			await visit.see(messages.profile.kept);
		}
	},
	{
		name: 'verify-email-used',
		pictureOnly: true,
		reach: async (visit) => {
			const newEmail = visit.freshAddress();
			await visit.arrive();
			await visit.call('change-email', { newEmail });
			const link = await visit.mail.linkFor(newEmail);
			await visit.open(link);
			await visit.page.getByRole('button', { name: verifyEmail.submit }).click();
			await visit.see(notices['email-changed']);
			await visit.open(link);
			await visit.see(verifyEmail.applied);
		}
	},
	{
		name: 'account-deleted-unknown',
		pictureOnly: true,
		reach: async (visit) => {
			await visit.open('/auth/account-deleted');
			await visit.see(accountDeleted.unknown);
		}
	}
];
