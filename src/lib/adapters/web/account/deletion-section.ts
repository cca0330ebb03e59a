import { fail, redirect, type Action } from '@sveltejs/kit';
import { superValidate } from 'sveltekit-superforms';
import { zod4 } from 'sveltekit-superforms/adapters';
import { deleteAccount as deleteTheirAccount } from './deletion.ts';
import { DELETED_NOTICE, leaveNotice } from '../http/notice.ts';
import { postedFields } from '../http/posted-form.ts';
import { sureForm } from '../sign-in/schemas.ts';

const FORM_ID = 'deletion';

export const loadDeletion = async () => ({
	form: await superValidate(zod4(sureForm), { id: FORM_ID, errors: false })
});

export const deleteAccount: Action = async (event) => {
	const form = await superValidate(await postedFields(event), zod4(sureForm), { id: FORM_ID });
	if (!form.valid) return fail(400, { form });
	await deleteTheirAccount(event);
	leaveNotice(event, 'account-deleted', DELETED_NOTICE);
	redirect(303, '/auth/account-deleted');
};
