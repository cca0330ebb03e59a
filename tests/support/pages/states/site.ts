import { expect } from '@playwright/test';
import { messages } from '#lib/messages/messages.ts';
import { openDatabase } from '../../http/database.ts';
import type { PageState } from '../visit.ts';
import { purchaseFor } from '../../http/own-app.ts';

const { changelog, contact, docs, faultPages, home, roadmap } = messages;

/** A public page, identified by its heading. */
const opened = (
	name: string,
	path: string,
	title: string,
	on: PageState['on'] = 'usual'
): PageState => ({
	name,
	on,
	reach: async ({ open, on: screens }) => {
		await open(path);
		await expect(screens.heading(title)).toBeVisible();
	}
});

const renamed = async (databaseUrl: string, from: string, to: string): Promise<void> => {
	const database = openDatabase(databaseUrl);
	await database.rows(`alter table "${from}" rename to "${to}"`);
	await database.close();
};

/** The pages about the site, and the page of an unknown address. */
export const sitePages: readonly PageState[] = [
	opened('home', '/', home.title),
	{
		name: 'home-signed-in',
		reach: async ({ arrive, open, see }) => {
			await arrive();
			await open('/');
			await see(home.openApp);
		}
	},
	{
		name: 'docs',
		// It has no scripts that `open` could wait for.
		reach: async ({ page, server, on: screens }) => {
			await page.goto(`${server.address}/docs`);
			await expect(screens.heading(docs.title)).toBeVisible();
		}
	},
	opened('contact-no-address', '/contact', contact.helpTitle),
	opened('contact', '/contact', contact.title, 'other'),
	opened('roadmap', '/roadmap', roadmap.title),
	opened('changelog', '/changelog', changelog.title),
	opened('fault-404', '/docs/no-such-page', faultPages.notFound.title),
	{
		name: 'fault-503',
		alike: true,
		reach: async ({ server, address, open, on }) => {
			const path = await purchaseFor(server, address, 'Field guide to gates');
			await renamed(server.databaseUrl, 'purchase', 'purchase_gone');
			try {
				await open(path);
				await expect(on.heading(faultPages.unavailable.title)).toBeVisible();
			} finally {
				await renamed(server.databaseUrl, 'purchase_gone', 'purchase');
			}
		}
	},
	{
		name: 'fault-plain',
		reach: async ({ page, server, see }) => {
			await page.goto(`${server.address}/api/auth/error?error=access_denied`);
			await see(messages.clientErrors.ACCESS_DENIED);
		}
	}
];
