import { expect, type APIRequestContext, type Page } from '@playwright/test';
import { sendCode } from '../http/client.ts';
import { challengeOf, solve } from '../proof/solve.ts';
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
		let answer = await request.post(url, { headers, data });
		const challenge = challengeOf({ status: answer.status(), text: await answer.text() });
		if (challenge !== null) {
			const proof = { 'x-postern-proof': await solve(challenge) };
			answer = await request.post(url, { headers: { ...headers, ...proof }, data });
		}
		expect(answer.status(), await answer.text()).toBe(200);
	};
	await call('email-otp/send-verification-otp', { email, type: 'sign-in' });
	await call('sign-in/email-otp', { email, otp: await mail.codeFor(email) });
};

let elsewhere = 0;

/**
 * Sends codes to an email address from as many networks, so that none needs a proof, whose
 * calculation takes a third of a second.
 */
export const sendFromElsewhere = async (
	server: BuiltServer,
	email: string,
	times: number
): Promise<void> => {
	for (let sent = 1; sent <= times; sent += 1) {
		elsewhere += 1;
		// Never the same twice: several states of a page use this within the time of a limit.
		const network = `203.${Math.floor(elsewhere / 256) % 256}.${elsewhere % 256}.1`;
		const answer = await sendCode(server, email, { 'x-forwarded-for': network });
		expect(answer.status, answer.text).toBe(200);
	}
};

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
