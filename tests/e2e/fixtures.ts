import { test as base, type BrowserContext, type Page } from '@playwright/test';
import { startBuiltServer, type BuiltServer } from '../support/built-server.ts';
import { mailReader, type MailReader } from '../support/e2e-mail-reader.ts';
import { screensOf, type Screens } from '../support/e2e-screens.ts';
import { watchForTrouble, type Trouble } from '../support/e2e-trouble.ts';

interface WorkerFixtures {
	server: BuiltServer;
}

interface Options {
	/** Refusals that a test provokes; any other one fails it. */
	expectedTrouble: readonly Trouble[];
}

interface Fixtures {
	/** Whether pages of this project may run JavaScript. */
	scripted: boolean;
	/** An address that nobody has used before. */
	address: string;
	/** A maker of such addresses, for tests that need several. */
	freshAddress: () => string;
	mail: MailReader;
	on: Screens;
	/** Lets time pass, for the server and, where script runs, for the page; set before it opens. */
	passTime: (seconds: number) => Promise<void>;
	/** Opens a path and waits until its scripts, if any, have taken over. */
	open: (path: string, inPage?: Page) => Promise<void>;
	/** Asks for a code on an entry page, waits for the page that takes it, and reads the mail. */
	receiveCode: (as: string) => Promise<string>;
	reload: () => Promise<void>;
	goBack: () => Promise<void>;
	/** Walks the whole flow to the page behind it. */
	signIn: (as: string) => Promise<void>;
	noTrouble: undefined;
}

let people = 0;

export const test = base.extend<Options & Fixtures, WorkerFixtures>({
	server: [
		// eslint-disable-next-line no-empty-pattern -- how fixtures say that they need no other one
		async ({}, use) => {
			const server = await startBuiltServer();
			await use(server);
			await server.stop();
		},
		{ scope: 'worker' }
	],
	baseURL: async ({ server }, use) => use(server.address),
	expectedTrouble: [[], { option: true }],
	scripted: async ({ javaScriptEnabled }, use) => use(javaScriptEnabled !== false),

	// Limits per client are for one test alone: each comes from an address of its own.
	// eslint-disable-next-line no-empty-pattern
	extraHTTPHeaders: async ({}, use, { workerIndex }) => {
		people += 1;
		await use({ 'x-forwarded-for': `198.18.${workerIndex % 256}.${people % 256}` });
	},
	// eslint-disable-next-line no-empty-pattern
	freshAddress: async ({}, use, { testId, workerIndex }) => {
		let made = 0;
		await use(() => `p${workerIndex}-${people}-${(made += 1)}-${testId.slice(-6)}@example.com`);
	},
	address: async ({ freshAddress }, use) => use(freshAddress()),
	mail: async ({ server }, use) => use(mailReader(server)),
	on: async ({ page, scripted }, use) => use(screensOf(page, scripted)),
	signIn: async ({ open, receiveCode, on, page }, use) =>
		use(async (as) => {
			await open('/auth/sign-in');
			await on.enterCode(await receiveCode(as));
			await expect(page).toHaveURL('/app');
		}),

	passTime: async ({ server, page, scripted }, use) => {
		let passed = 0;
		if (scripted) await page.clock.install();
		await use(async (seconds) => {
			passed += seconds;
			await server.shiftClock(passed);
			if (scripted) await page.clock.fastForward(seconds * 1000);
		});
		await server.shiftClock(0);
	},

	open: async ({ page, scripted }, use) =>
		use(async (path, inPage = page) => {
			await inPage.goto(path);
			await takenOver(inPage, scripted);
		}),
	receiveCode: async ({ on, mail }, use) =>
		use(async (as) => {
			await on.askForCode(as);
			await expect(on.codeField).toBeVisible();
			return mail.codeFor(as);
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

/** The framework adds its voice for screen readers once a page has come to life. */
const takenOver = async (page: Page, scripted: boolean): Promise<void> => {
	if (scripted) await expect(page.locator('#svelte-announcer')).toBeAttached();
};
