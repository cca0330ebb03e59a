import { expect } from '@playwright/test';
import { messages } from '#lib/messages/messages.ts';
import { openDatabase } from '../../http/database.ts';
import type { PageState, Visit } from '../visit.ts';

const { notices, refusals } = messages;

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
	}
];
