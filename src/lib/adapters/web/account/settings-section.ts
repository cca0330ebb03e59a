import { z } from 'zod';
import { fail, redirect, type Action, type RequestEvent } from '@sveltejs/kit';
import { superValidate } from 'sveltekit-superforms';
import { zod4 } from 'sveltekit-superforms/adapters';
import { messages } from '#lib/messages/messages.ts';
import { MAX_NAME } from '#lib/domain/user.ts';
import { showChangedUser } from '../sessions/session-response.ts';
import { nameSchema } from '../api/fields.ts';
import { postedFields } from '../http/form-body.ts';
import { requireUser, signInPath } from '../edge/require-user.ts';
import { settingsAfter } from '../http/flash.ts';

export const nameForm = z.object({
	name: nameSchema({
		too_long: messages.errors.longName(MAX_NAME),
		unshowable: messages.errors.invalidName
	})
});

const FORM_ID = 'name';

export const loadProfile = async (event: RequestEvent) => {
	const { name } = requireUser(event);
	return superValidate({ name }, zod4(nameForm), { id: FORM_ID, errors: false });
};

export const saveProfile: Action = async (event) => {
	const { id } = requireUser(event);
	const form = await superValidate(await postedFields(event), zod4(nameForm), { id: FORM_ID });
	if (!form.valid) return fail(400, { form });
	const user = await event.locals.app.updateProfile(id, { name: form.data.name });
	// The account was deleted by a concurrent request.
	if (user === null) redirect(303, signInPath(event));
	showChangedUser(event, user);
	redirect(303, settingsAfter(event, 'name-saved'));
};
