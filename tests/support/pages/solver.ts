import type { Page } from '@playwright/test';

const WORKER = '**/solver.worker*';

/** The page's worker never responds. */
export const solvesForever = (page: Page): Promise<unknown> => page.route(WORKER, () => undefined);

/** The page's worker does not start. */
export const cannotSolve = (page: Page): Promise<unknown> =>
	page.route(WORKER, (route) => route.abort());

/** The page's worker responds with a wrong solution. */
export const solvesWrongly = (page: Page): Promise<unknown> => {
	const solution = JSON.stringify({ counter: 0, derivedKey: '0'.repeat(64) });
	const body = `self.onmessage = () => self.postMessage(${solution});`;
	return page.route(WORKER, (route) => route.fulfill({ contentType: 'text/javascript', body }));
};
