import { fail, redirect, type RequestEvent, type Action } from '@sveltejs/kit';
import { superValidate } from 'sveltekit-superforms';
import { zod4 } from 'sveltekit-superforms/adapters';
import { z } from 'zod';
import { DAY } from '#lib/domain/time.ts';
import { messages } from '#lib/messages/messages.ts';
import { requestSourceOf } from '../edge/client.ts';
import { clearSession } from '../sessions/session-response.ts';
import { logEvent } from '../http/log-event.ts';
import { requireUser } from '../edge/require-user.ts';
import { DELETED_FLASH_LIFETIME_S, setFlash } from '../http/flash.ts';
import { postedFields } from '../http/form-body.ts';
import { keepDeletedEmail } from './deleted-account.ts';

export const deleteAccount = async (event: RequestEvent): Promise<void> => {
	const user = requireUser(event);
	const deleted = await event.locals.app.deleteAccount({ user, source: requestSourceOf(event) });
	if (deleted !== null) logEvent(event, 'account_deleted', { sessions: deleted.ended.length });
	clearSession(event);
};

const FORM_ID = 'deletion';

const confirmDeletionForm = z.object({
	sure: z.boolean().refine((sure) => sure, messages.errors.unsure)
});

export const loadDeletion = async ({ locals }: RequestEvent) => ({
	days: locals.app.policy.deletion.grace / DAY,
	form: await superValidate(zod4(confirmDeletionForm), { id: FORM_ID, errors: false })
});

export const submitDeletion: Action = async (event) => {
	const form = await superValidate(await postedFields(event), zod4(confirmDeletionForm), {
		id: FORM_ID
	});
	if (!form.valid) return fail(400, { form });
	const { email } = requireUser(event);
	await deleteAccount(event);
	keepDeletedEmail(event, email);
	setFlash(event, 'account-deleted', DELETED_FLASH_LIFETIME_S);
	redirect(303, '/auth/account-deleted');
};
