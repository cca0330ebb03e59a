import { expect, type APIRequestContext, type Page } from '@playwright/test';
import { sendCode } from '../http/client.ts';
import type { BuiltServer } from '../process/built-server.ts';
import type { MailReader } from './mail-reader.ts';

/** Signs a browser in by API calls, which takes a fraction of the time of the pages. */
export const signInByCalls = async (
	request: APIRequestContext,
	server: BuiltServer,
	mail: MailReader,
	email: string
): Promise<void> => {
	const headers = { origin: server.address };
	const call = async (path: string, data: Record<string, string>): Promise<void> => {
		const url = `${server.address}/api/auth/${path}`;
		const answer = await request.post(url, { headers, data });
		expect(answer.status(), await answer.text()).toBe(200);
	};
	await call('email-otp/send-verification-otp', { email, type: 'sign-in' });
	await call('sign-in/email-otp', { email, otp: await mail.codeFor(email) });
};

/** Sends codes to an email address from other networks. */
export const sendFromElsewhere = async (
	server: BuiltServer,
	email: string,
	times: number
): Promise<void> => {
	for (let sent = 1; sent <= times; sent += 1) {
		const answer = await sendCode(server, email);
		expect(answer.status, answer.text).toBe(200);
	}
};

/** What a browser does when a person comes back to a tab. */
export const comeBackTo = (page: Page): Promise<void> =>
	page.evaluate(() => void document.dispatchEvent(new Event('visibilitychange')));

/**
 * Resolves when the scripts of a page are active: the framework then adds its announcer for screen
 * readers. `waitFor` polls after 20 ms, an assertion only after 100 ms.
 */
export const hydrated = (page: Page): Promise<void> =>
	page.locator('#svelte-announcer').waitFor({ state: 'attached' });

/**
 * Resolves when a page has loaded, with its stylesheets. The answer to a form that was sent without
 * scripts shows its text earlier, at the sizes and in the colours of an unstyled page.
 */
export const loaded = (page: Page): Promise<void> => page.waitForLoadState('load');
