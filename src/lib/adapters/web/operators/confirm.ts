import { fail, redirect, type RequestEvent } from '@sveltejs/kit';
import { superValidate } from 'sveltekit-superforms';
import { zod4 } from 'sveltekit-superforms/adapters';
import type { CountedAction } from '../edge/limits/client-limits.ts';
import { requireUser } from '../edge/require-user.ts';
import { postedFields } from '../http/form-body.ts';
import { enterCode, sendCode } from '../sign-in/code-actions.ts';
import { pendingCode } from '../sign-in/pending-code.ts';
import { codeForm, resendForm } from '../sign-in/schemas.ts';
import { CONFIRM, requireOperator } from './gate.ts';

/** An operator whose sign-in is too old signs in again, and comes back. */
export const loadConfirm = async (
	event: RequestEvent
): Promise<{ readonly email: string; readonly isSent: boolean }> => {
	requireOperator(event);
	const { email } = requireUser(event);
	const pending = await pendingCode(event);
	return { email, isSent: pending?.email === email && pending.state === 'open' };
};

/** The email address always comes from the session. */
const fieldsOf = async (event: RequestEvent): Promise<{ fields: FormData; email: string }> => {
	requireOperator(event);
	const { email } = requireUser(event);
	const fields = await postedFields(event);
	fields.set('email', email);
	return { fields, email };
};

const send: CountedAction<'send'> = async (event) => {
	const { fields, email } = await fieldsOf(event);
	const form = await superValidate(fields, zod4(resendForm), { id: 'send' });
	const refused = await sendCode(event, form, email, fields, 'resend');
	return refused ?? redirect(303, `${CONFIRM}?${new URLSearchParams({ to: backTo(event) })}`);
};

const enter: CountedAction<'check'> = async (event) => {
	const { fields, email } = await fieldsOf(event);
	const form = await superValidate(fields, zod4(codeForm), { id: 'code' });
	if (!form.valid) return fail(400, { form });
	const entered = await enterCode(event, form, email);
	return 'refused' in entered ? entered.refused : redirect(303, backTo(event));
};

export const confirmActions = { send, enter };

/** Only to a page for operators. */
const backTo = ({ url }: RequestEvent): string => {
	const to = url.searchParams.get('to') ?? '';
	return /^\/operators(?:\/accounts\/[0-9a-f-]{36})?(?:\?[!-~]*)?$/.test(to) ? to : '/operators';
};
