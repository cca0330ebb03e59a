import type { Locator } from '@playwright/test';
import { defaultPolicy } from '#lib/domain/policy.ts';
import { messages } from '#lib/messages/messages.ts';
import { anotherCode } from '../../../e2e/mail-reader.ts';
import type { Visit } from '../../visit.ts';

const WORKER = '**/solver.worker*';
export const EMAIL_STEP = '/auth/sign-in?step=email';

/** The page's worker never responds. */
export const solvesForever = ({ page }: Visit): Promise<unknown> =>
	page.route(WORKER, () => undefined);

/** The page's worker does not start. */
export const cannotSolve = ({ page }: Visit): Promise<unknown> =>
	page.route(WORKER, (route) => route.abort());

/** The page's worker responds with a wrong solution. */
export const solvesWrongly = ({ page }: Visit): Promise<unknown> => {
	const solution = JSON.stringify({ counter: 0, derivedKey: '0'.repeat(64) });
	const body = `self.onmessage = () => self.postMessage(${solution});`;
	return page.route(WORKER, (route) => route.fulfill({ contentType: 'text/javascript', body }));
};

/** Requests codes for an email address by calls from this network. */
export const sendCodes = async ({ call }: Visit, email: string, times: number): Promise<void> => {
	for (let sent = 0; sent < times; sent += 1) {
		await call('email-otp/send-verification-otp', { email, type: 'sign-in' });
	}
};

/** Uses up the sends to an email address that need no proof from this network. */
export const useFree = (visit: Visit, email: string): Promise<void> =>
	sendCodes(visit, email, defaultPolicy.throttle.networkFree);

/** Uses up what unknown clients can send in this hour on the frugal server. */
export const useBudget = async (visit: Visit): Promise<void> => {
	const context = visit.page.context();
	const own = await context.cookies();
	for (let sent = 0; sent < 8; sent += 1) {
		await visit.changeNetwork();
		// An earlier state may have used some of it, so the last sends may be refused.
		await sendCodes(visit, visit.freshAddress(), 1).catch(() => undefined);
	}
	// The page keeps the code that it had before.
	await context.clearCookies();
	await context.addCookies(own);
};

/** Enters so many wrong codes, over several email addresses, that each check needs a proof. */
export const attack = async (visit: Visit): Promise<void> => {
	const { requestCode, freshAddress, page, server } = visit;
	const headers = { origin: server.address, 'sec-fetch-site': 'same-origin' };
	const url = `${server.address}/api/auth/sign-in/email-otp`;
	for (let wrong = 0; wrong <= defaultPolicy.guessing.proofAbove; wrong += 5) {
		const email = freshAddress();
		const otp = anotherCode(await requestCode(email));
		for (let guess = 0; guess < 5; guess += 1) {
			const own = { ...headers, 'x-forwarded-for': `198.51.${wrong}.${guess}` };
			await page.request.post(url, { headers: own, data: { email, otp } });
		}
	}
};

/** The button that continues with a ticket. */
export const continueButton = ({ page }: Visit): Locator =>
	page.getByRole('button', { name: messages.proof.proceed, exact: true });
