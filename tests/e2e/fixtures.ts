import { test as base, type BrowserContext, type Page } from '@playwright/test';
import {
	startBuiltServer,
	type BuiltServer,
	type BuiltServerOptions
} from '../support/process/built-server.ts';
import { hydrated, signInByCalls } from '../support/e2e/arrival.ts';
import { mailReader, type MailReader } from '../support/e2e/mail-reader.ts';
import { screensOf, type Screens } from '../support/e2e/screens.ts';
import { settingsOf, type SettingsScreen } from '../support/e2e/settings.ts';
import { SERVERS } from '../support/pages/visit.ts';
import { sharedContexts, type SharedContexts } from './shared-contexts.ts';
import { watchForTrouble, type Trouble } from './trouble.ts';

interface WorkerFixtures {
	/**
	 * The server with these settings, started once; a new one for each worker would take far longer.
	 */
	serverLike: (options: BuiltServerOptions) => Promise<BuiltServer>;
	contexts: SharedContexts;
}

interface Options {
	/** How the server differs from the usual test server. */
	serverOptions: BuiltServerOptions;
	/** Refusals that a test provokes; any other one fails it. */
	expectedTrouble: readonly Trouble[];
	/** Set for tests that need a browser context of their own, because they change it for good. */
	ownContext: boolean;
}

interface Fixtures {
	server: BuiltServer;
	/** Whether pages of this project may run JavaScript. */
	scripted: boolean;
	/** What makes a browser context usable for this test: all its options that tests change. */
	contextKind: string;
	/** An unused email address. */
	address: string;
	/** Creates such addresses, for tests that need several. */
	freshAddress: () => string;
	mail: MailReader;
	on: Screens;
	inSettings: SettingsScreen;
	/**
	 * Moves time, for the server and, with JavaScript, for the page; call it before the page opens.
	 */
	passTime: (seconds: number) => Promise<void>;
	/** Opens a path and waits until its scripts, if any, are active. */
	open: (path: string, inPage?: Page) => Promise<void>;
	/** Requests a code on a sign-in page, waits for the code page, and reads the email. */
	receiveCode: (as?: string) => Promise<string>;
	/** Opens a sign-in page, then does what `receiveCode` does. */
	openCodePage: (path?: string) => Promise<string>;
	reload: () => Promise<void>;
	goBack: () => Promise<void>;
	/** Signs in without a page, for tests of what follows; a page opened later is signed in. */
	arrive: (as: string, inPage?: Page) => Promise<void>;
	/** A page of another browser, which shares nothing with the first one. */
	otherBrowser: (userAgent?: string) => Promise<Page>;
	noTrouble: undefined;
}

let people = 0;

export const test = base.extend<Options & Fixtures, WorkerFixtures>({
	serverLike: [
		// eslint-disable-next-line no-empty-pattern -- how fixtures declare that they need no other one
		async ({}, use) => {
			const started = new Map<string, BuiltServer>();
			await use(async (options) => {
				const kind = JSON.stringify(options);
				const server = started.get(kind) ?? (await startBuiltServer(options));
				started.set(kind, server);
				return server;
			});
			await Promise.all([...started.values()].map((server) => server.stop()));
		},
		{ scope: 'worker' }
	],
	// eslint-disable-next-line no-empty-pattern
	contexts: [async ({}, use) => use(sharedContexts()), { scope: 'worker' }],
	serverOptions: [SERVERS.usual, { option: true }],
	server: async ({ serverLike, serverOptions }, use) => use(await serverLike(serverOptions)),
	baseURL: async ({ server }, use) => use(server.address),
	expectedTrouble: [[], { option: true }],
	ownContext: [false, { option: true }],
	contextKind: async ({ baseURL, viewport, locale, timezoneId, permissions }, use) =>
		use(JSON.stringify([baseURL, viewport, locale, timezoneId, permissions])),
	context: async ({ browser, contexts, contextKind, ownContext, extraHTTPHeaders }, use) => {
		const context = await contexts.take(browser, contextKind);
		if (ownContext) contexts.spend(context);
		await context.setExtraHTTPHeaders(extraHTTPHeaders ?? {});
		await use(context);
		await contexts.giveBack(contextKind);
	},
	scripted: async ({ javaScriptEnabled }, use) => use(javaScriptEnabled !== false),

	// Limits per client and per network must not affect other tests: each test has its own /24.
	// eslint-disable-next-line no-empty-pattern
	extraHTTPHeaders: async ({}, use, { workerIndex }) => {
		people += 1;
		await use({ 'x-forwarded-for': `198.18.${people % 256}.${workerIndex % 256}` });
	},
	// eslint-disable-next-line no-empty-pattern
	freshAddress: async ({}, use, { testId, workerIndex }) => {
		let made = 0;
		await use(() => `p${workerIndex}-${people}-${(made += 1)}-${testId.slice(-6)}@example.com`);
	},
	address: async ({ freshAddress }, use) => use(freshAddress()),
	mail: async ({ server }, use) => use(mailReader(server)),
	on: async ({ page, scripted }, use) => use(screensOf(page, scripted)),
	inSettings: async ({ page }, use) => use(settingsOf(page)),
	arrive: async ({ page, mail, server }, use) =>
		use((as, inPage = page) => signInByCalls(inPage.context().request, server, mail, as)),
	otherBrowser: async ({ browser, server, scripted, expectedTrouble }, use) => {
		const opened: [BrowserContext, () => readonly string[]][] = [];
		await use(async (userAgent) => {
			const context = await browser.newContext(userAgent === undefined ? {} : { userAgent });
			opened.push([context, watchForTrouble(context, server.address, scripted, expectedTrouble)]);
			return context.newPage();
		});
		for (const [context, trouble] of opened) {
			await context.close();
			expect(trouble()).toEqual([]);
		}
	},

	passTime: async ({ server, page, contexts, scripted }, use) => {
		let passed = 0;
		if (scripted) {
			contexts.spend(page.context());
			await page.clock.install();
		}
		await use(async (seconds) => {
			passed += seconds;
			await server.shiftClock(passed);
			await server.passMonotonic(seconds);
			if (scripted) await page.clock.fastForward(seconds * 1000);
		});
		await server.shiftClock(0);
	},

	open: async ({ page, scripted }, use) =>
		use(async (path, inPage = page) => {
			await inPage.goto(path);
			await takenOver(inPage, scripted);
		}),
	receiveCode: async ({ on, mail, address }, use) =>
		use(async (as = address) => {
			await on.askForCode(as);
			await expect(on.codeField).toBeVisible();
			return mail.codeFor(as);
		}),
	openCodePage: async ({ open, receiveCode }, use) =>
		use(async (path = '/auth/sign-in') => {
			await open(path);
			return receiveCode();
		}),
	reload: async ({ page, scripted }, use) =>
		use(async () => {
			await page.reload();
			await takenOver(page, scripted);
		}),
	goBack: async ({ page, scripted }, use) =>
		use(async () => {
			await page.goBack();
			await takenOver(page, scripted);
		}),

	noTrouble: [
		async ({ context, server, scripted, expectedTrouble }, use) => {
			const trouble = watchForTrouble(context, server.address, scripted, expectedTrouble);
			await use(undefined);
			expect(trouble()).toEqual([]);
		},
		{ auto: true }
	]
});

export const { expect } = test;
export type { BrowserContext, Page };

const takenOver = async (page: Page, scripted: boolean): Promise<void> => {
	if (scripted) await hydrated(page);
};
