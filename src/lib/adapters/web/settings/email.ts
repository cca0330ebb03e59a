import { fail, redirect, type Action, type RequestEvent } from '@sveltejs/kit';
import { superValidate, type SuperValidated } from 'sveltekit-superforms';
import { zod4 } from 'sveltekit-superforms/adapters';
import { newBrowserKey } from '#lib/domain/secret.ts';
import type { PendingEmailChange } from '#lib/domain/use-cases/read-email-change.ts';
import { deviceOf } from '../device.ts';
import { askForChange } from '../email-change.ts';
import { formOutcome } from '../form-outcome.ts';
import { outcomeOf } from '../outcome.ts';
import { newEmailFormOf, postedFields } from '../posted-form.ts';
import { recordOutcome } from '../record.ts';
import { requireUser } from '../require-user.ts';
import { newEmailForm } from '../schemas.ts';
import { settingsAfter } from './done.ts';

/** A change that waits, with a span instead of an instant: a visitor's clock may be wrong. */
export interface WaitingChange {
	readonly to: string;
	readonly way: PendingEmailChange['way'];
	/** Minutes until it expires, rounded up. */
	readonly minutesLeft: number;
}

export interface EmailSettings {
	readonly email: string;
	/** Whether an address can be changed here at all. */
	readonly links: boolean;
	/** Whether a code from the current address is asked for. */
	readonly reproof: boolean;
	readonly waiting: WaitingChange | null;
	readonly form: SuperValidated<{ email: string; code: string }>;
}

const FORM_ID = 'new-email';

export const loadEmail = async (event: RequestEvent): Promise<EmailSettings> => {
	const { app } = event.locals;
	const user = requireUser(event);
	const pending = await app.readEmailChange(user);
	return {
		email: user.email,
		links: app.config.emailChange.link,
		reproof: app.config.emailChange.proveCurrent,
		waiting: pending && waitingChange(pending, app.clock.now()),
		form: await superValidate(zod4(newEmailForm), { id: FORM_ID, errors: false })
	};
};

/** Named as every action that sends is, so that it counts as one (route-limits.ts). */
export const request: Action = async (event) => {
	const form = await newEmailFormOf(await postedFields(event), FORM_ID);
	if (!form.valid) return fail(400, { form });
	const { email: newEmail, code: proof } = form.data;
	const asked = { newEmail, way: 'link', callbackUrl: null, proof } as const;
	const requested = await askForChange(event, asked);
	if (!requested.ok) return formOutcome(event, form, requested.error);
	redirect(303, settingsAfter('link'));
};

/** Sends the code that proves the current address, where one is asked for. */
export const prove: Action = async (event) => {
	const { app, authCookies } = event.locals;
	const { email } = requireUser(event);
	const browser = authCookies.browserKey() ?? newBrowserKey(app.random);
	const requested = await app.requestCode({
		email,
		purpose: 'email_verification',
		browser,
		device: deviceOf(event)
	});
	recordOutcome(event, 'code_requested', email, requested);
	if (!requested.ok) {
		const { status, text } = outcomeOf(requested.error);
		return fail(status, { unproved: text });
	}
	authCookies.setBrowserKey(browser);
	redirect(303, settingsAfter('proof'));
};

export const cancelChange: Action = async (event) => {
	await event.locals.app.cancelEmailChange(requireUser(event).id);
	redirect(303, settingsAfter('cancelled'));
};

const waitingChange = ({ to, way, expiresAt }: PendingEmailChange, now: Date): WaitingChange => ({
	to,
	way,
	minutesLeft: Math.max(1, Math.ceil((expiresAt.getTime() - now.getTime()) / 60_000))
});
