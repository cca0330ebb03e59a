import { fail, redirect, type Action, type RequestEvent } from '@sveltejs/kit';
import { superValidate, type SuperValidated } from 'sveltekit-superforms';
import { zod4 } from 'sveltekit-superforms/adapters';
import type { PendingEmailChange } from '#lib/domain/use-cases/read-email-change.ts';
import { askForChange } from '../email-change.ts';
import { formOutcome } from '../form-outcome.ts';
import { emailFormOf, postedFields } from '../posted-form.ts';
import { requireUser } from '../require-user.ts';
import { emailForm } from '../schemas.ts';
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
	readonly waiting: WaitingChange | null;
	readonly form: SuperValidated<{ email: string }>;
}

const FORM_ID = 'new-email';

export const loadEmail = async (event: RequestEvent): Promise<EmailSettings> => {
	const { app } = event.locals;
	const user = requireUser(event);
	const pending = await app.readEmailChange(user);
	return {
		email: user.email,
		links: app.config.emailChange.link,
		waiting: pending && waitingChange(pending, app.clock.now()),
		form: await superValidate(zod4(emailForm), { id: FORM_ID, errors: false })
	};
};

/** Named as every action that sends is, so that it counts as one (route-limits.ts). */
export const request: Action = async (event) => {
	const form = await emailFormOf(await postedFields(event), FORM_ID);
	if (!form.valid) return fail(400, { form });
	const asked = { newEmail: form.data.email, way: 'link', callbackUrl: null } as const;
	const requested = await askForChange(event, asked);
	if (!requested.ok) return formOutcome(event, form, requested.error);
	redirect(303, settingsAfter('link'));
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
