import { expect } from '@playwright/test';
import { messages } from '#lib/messages/messages.ts';
import { sendFromElsewhere } from '../../e2e/arrival.ts';
import { times, wrongCode } from '../../http/client.ts';
import { purchaseFor } from '../../http/own-app.ts';
import { SOLVER, state, type PageState, type Visit } from '../visit.ts';

const { checkout, errors, proof, refusals } = messages;
const TOO_MANY = errors.tooManySends(false);
const EMAIL_STEP = '/auth/sign-in?step=email';
const HOUR = 3_600_000;

const askForCode = async (visit: Visit): Promise<void> => {
	await visit.open(EMAIL_STEP);
	await visit.on.askForCode(visit.address);
};

const askOnCheckout = async (visit: Visit): Promise<void> => {
	await visit.open(await purchaseFor(visit.server, visit.address, 'Field guide to gates'));
	await visit.page.getByRole('button', { name: checkout.send }).click();
};

/** Sets how many of the ten emails of this hour and of the next one the frugal server has sent. */
const setEmails = ({ inDatabase }: Visit, count: number): Promise<void> =>
	inDatabase(async ({ rows }) => {
		await rows('delete from site_count');
		for (const hour of [0, 1]) {
			const since = (Math.floor(Date.now() / HOUR) + hour) * HOUR;
			await rows(`insert into site_count values ('emails', ${since}, ${count})`);
		}
	});

/** Enters as many wrong codes as this visit's network can. */
const guessFromHere = async ({ page, server, network, ...visit }: Visit): Promise<void> => {
	const origin = { origin: server.address, 'sec-fetch-site': 'same-origin' };
	const url = `${server.address}/api/auth/sign-in/email-otp`;
	for (let host = 0; host < 6; host += 1) {
		const email = visit.freshAddress();
		const data = { email, otp: wrongCode(await visit.requestCode(email)) };
		const headers = { ...origin, 'x-forwarded-for': `${network}.${host}` };
		for (let guess = 0; guess < 5; guess += 1) await page.request.post(url, { headers, data });
	}
};

/** What people see when a limit on emails or codes is reached, or a proof of work is needed. */
export const limitPages: readonly PageState[] = [
	state('email-proof-solving', { alike: true, on: 'proving', scripts: 'needed' }, async (visit) => {
		await visit.page.route(SOLVER, () => undefined);
		await askForCode(visit);
		await visit.see(proof.checking);
	}),
	state('email-proof-unable', { alike: true, on: 'proving', scripts: 'needed' }, async (visit) => {
		await visit.page.route(SOLVER, (route) => route.abort());
		await askForCode(visit);
		await visit.see(proof.unable);
	}),
	state('email-proof', { alike: true, on: 'proving', scripts: 'off' }, async (visit) => {
		await askForCode(visit);
		await visit.see(proof.needsScript);
		await expect(visit.on.emailField).toBeHidden();
	}),
	state('checkout-proof', { alike: true, on: 'proving', scripts: 'off' }, async (visit) => {
		await askOnCheckout(visit);
		await visit.see(proof.needsScript);
	}),
	state('email-limited', { scripts: 'needed' }, async (visit) => {
		const { page, server, on } = visit;
		await visit.open('/auth/sign-in');
		const url = `${server.address}/auth/sign-in?/request`;
		const post = { headers: { origin: server.address }, form: {} };
		await Promise.all(times(20, () => page.request.post(url, post)));
		await on.askForCode(visit.address);
		await visit.see(refusals.tooOftenNow);
	}),
	state('email-throttled', { alike: true }, async (visit) => {
		await sendFromElsewhere(visit.server, visit.address, 5);
		await askForCode(visit);
		await visit.see(TOO_MANY);
	}),
	state('code-throttled', {}, async (visit) => {
		await sendFromElsewhere(visit.server, visit.address, 4);
		await visit.requestCode();
		await visit.passTime(31);
		await visit.open('/auth/sign-in');
		await visit.on.resendButton.click();
		await visit.see(TOO_MANY);
	}),
	state('code-network-wrong', { alike: true }, async (visit) => {
		await guessFromHere(visit);
		await visit.page.context().clearCookies();
		const code = await visit.requestCode();
		await visit.open('/auth/sign-in');
		await visit.on.enterCode(code);
		await visit.see(errors.tooManyWrongCodes);
	}),
	state('email-budget-used', { alike: true, on: 'frugal' }, async (visit) => {
		await setEmails(visit, 8);
		await askForCode(visit);
		await visit.see(errors.overBudget);
	})
];
