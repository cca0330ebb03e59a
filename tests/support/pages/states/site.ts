import { expect } from '@playwright/test';
import { messages } from '#lib/messages/messages.ts';
import { opened, state, type PageState, type Visit } from '../visit.ts';
import { purchaseFor } from '../../http/own-app.ts';

const { changelog, contact, docs, faultPages, home, roadmap } = messages;

const renamed = ({ inDatabase }: Visit, from: string, to: string): Promise<unknown> =>
	inDatabase(({ rows }) => rows(`alter table "${from}" rename to "${to}"`));

/** The pages about the site, and the page of an unknown address. */
export const sitePages: readonly PageState[] = [
	opened('home', '/', home.title),
	state('home-signed-in', {}, async ({ arrive, open, see }) => {
		await arrive();
		await open('/');
		await see(home.openApp);
	}),
	// It has no scripts that `open` could wait for.
	state('docs', {}, async ({ page, server, on: screens }) => {
		await page.goto(`${server.address}/docs`);
		await expect(screens.heading(docs.title)).toBeVisible();
	}),
	state('docs-call', {}, async ({ page, server }) => {
		await page.goto(`${server.address}/docs#signIn`);
		await expect(page.locator('#signIn')).toBeVisible();
	}),
	opened('contact-no-address', '/contact', contact.title),
	opened('contact', '/contact', contact.title, { on: 'other' }),
	opened('roadmap', '/roadmap', roadmap.title),
	opened('changelog', '/changelog', changelog.title),
	opened('fault-404', '/docs/no-such-page', faultPages.notFound.title),
	state('fault-503', { alike: true }, async (visit) => {
		const path = await purchaseFor(visit.server, visit.address, 'Field guide to gates');
		await renamed(visit, 'purchase', 'purchase_gone');
		try {
			await visit.open(path);
			await expect(visit.on.heading(faultPages.unavailable.title)).toBeVisible();
		} finally {
			await renamed(visit, 'purchase_gone', 'purchase');
		}
	}),
	state('fault-plain', {}, async ({ page, server, see }) => {
		await page.goto(`${server.address}/api/auth/error?error=access_denied`);
		await see(messages.clientErrors.ACCESS_DENIED.split('. ')[1] ?? '');
	})
];
