import type { Browser, BrowserContext } from '@playwright/test';

/** What tests listen for. Playwright itself listens for other events. */
const EVENTS = ['console', 'request', 'requestfailed', 'response', 'weberror'];

/** A page without scripts that stays open in each context, which keeps its process. */
const QUIET_PAGE = '/robots.txt';

/**
 * Browser contexts that one test uses after the other. A new context starts a process that compiles
 * all scripts again, which takes a sixth of the time of a test.
 */
export const sharedContexts = () => {
	const kept = new Map<string, BrowserContext>();
	const spent = new Set<BrowserContext>();
	return {
		/** A context of this kind, in which nothing of an earlier test is left. */
		take: async (browser: Browser, kind: string) => {
			const known = kept.get(kind);
			if (known !== undefined) return known;
			const context = await browser.newContext();
			kept.set(kind, context);
			await (await context.newPage()).goto(QUIET_PAGE);
			return context;
		},
		/** Ends the use by a test. */
		giveBack: async (kind: string) => {
			const context = kept.get(kind);
			if (context === undefined) return;
			if (spent.delete(context)) {
				kept.delete(kind);
				return context.close();
			}
			for (const event of EVENTS) context.removeAllListeners(event);
			await context.unrouteAll({ behavior: 'ignoreErrors' });
			// Closing a page removes its session storage. Besides that, our pages store only cookies.
			const [, ...pages] = context.pages();
			await Promise.all(pages.map((page) => page.close()));
			await context.clearCookies();
			await context.setOffline(false);
		},
		/** The test in this context changes what cannot be changed back, such as the clock. */
		spend: (context: BrowserContext) => void spent.add(context)
	};
};

export type SharedContexts = ReturnType<typeof sharedContexts>;
