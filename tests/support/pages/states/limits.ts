import { expect } from '@playwright/test';
import { messages } from '#lib/messages/messages.ts';
import { sendFromElsewhere } from '../../e2e/arrival.ts';
import { anotherCode } from '../../e2e/mail-reader.ts';
import { openDatabase } from '../../http/database.ts';
import { purchaseFor } from '../../http/own-app.ts';
import { cannotSolve, solvesForever } from '../solver.ts';
import type { PageState, Visit } from '../visit.ts';

const { checkout, errors, proof } = messages;
/** How these texts begin, with JavaScript or without it, for every client. */
const TOO_MANY = errors.tooManySends(true, null).slice(0, -1);
const OVER_BUDGET = errors.overBudget(null);
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

/** Opens the code step of a requested code, when another one can be requested. */
const openCode = async (visit: Visit): Promise<void> => {
	await visit.passTime(31);
	await visit.open('/auth/sign-in');
};

/** Sets how many of the ten emails of this hour and of the next one the frugal server has sent. */
const setEmails = async ({ server }: Visit, count: number): Promise<void> => {
	const database = openDatabase(server.databaseUrl);
	await database.rows('delete from site_count');
	for (const hour of [0, 1]) {
		const since = (Math.floor(Date.now() / HOUR) + hour) * HOUR;
		await database.rows(`insert into site_count values ('emails', ${since}, ${count})`);
	}
	await database.close();
};

/** Enters as many wrong codes as this visit's network can. */
const guessFromHere = async ({ page, server, network, ...visit }: Visit): Promise<void> => {
	const origin = { origin: server.address, 'sec-fetch-site': 'same-origin' };
	const url = `${server.address}/api/auth/sign-in/email-otp`;
	for (let host = 0; host < 6; host += 1) {
		const email = visit.freshAddress();
		const data = { email, otp: anotherCode(await visit.requestCode(email)) };
		const headers = { ...origin, 'x-forwarded-for': `${network}.${host}` };
		for (let guess = 0; guess < 5; guess += 1) await page.request.post(url, { headers, data });
	}
};

/** What people see when a limit on emails or codes is reached, or a proof of work is needed. */
export const limitPages: readonly PageState[] = [
	{
		name: 'email-proof-solving',
		alike: true,
		on: 'proving',
		scripts: 'needed',
		reach: async (visit) => {
			await solvesForever(visit.page);
			await askForCode(visit);
			await visit.see(proof.checking);
		}
	},
	{
		name: 'email-proof-unable',
		alike: true,
		on: 'proving',
		scripts: 'needed',
		reach: async (visit) => {
			await cannotSolve(visit.page);
			await askForCode(visit);
			await visit.see(proof.unable);
		}
	},
	{
		name: 'email-proof',
		alike: true,
		on: 'proving',
		scripts: 'off',
		reach: async (visit) => {
			await askForCode(visit);
			await visit.see(proof.needsScript);
			await expect(visit.on.emailField).toHaveValue(visit.address);
		}
	},
	{
		name: 'checkout-proof',
		alike: true,
		on: 'proving',
		scripts: 'off',
		reach: async (visit) => {
			await askOnCheckout(visit);
			await visit.see(proof.needsScript);
		}
	},
	{
		name: 'email-throttled',
		alike: true,
		reach: async (visit) => {
			await sendFromElsewhere(visit.server, visit.address, 5);
			await askForCode(visit);
			await expect(visit.on.alert(TOO_MANY)).toBeVisible();
		}
	},
	{
		name: 'code-throttled',
		reach: async (visit) => {
			await sendFromElsewhere(visit.server, visit.address, 4);
			await visit.requestCode();
			await openCode(visit);
			await visit.on.resendButton.click();
			await expect(visit.on.alert(TOO_MANY)).toBeVisible();
		}
	},
	{
		name: 'code-network-wrong',
		alike: true,
		reach: async (visit) => {
			await guessFromHere(visit);
			await visit.page.context().clearCookies();
			const code = await visit.requestCode();
			await visit.open('/auth/sign-in');
			await visit.on.enterCode(code);
			await visit.see(/^Too many wrong codes were entered from your network/);
		}
	},
	{
		name: 'email-budget-used',
		alike: true,
		on: 'frugal',
		reach: async (visit) => {
			await setEmails(visit, 8);
			await askForCode(visit);
			await expect(visit.on.alert(OVER_BUDGET)).toBeVisible();
		}
	}
];
