import type { RequestEvent } from '@sveltejs/kit';
import { superValidate, type SuperValidated } from 'sveltekit-superforms';
import { zod4 } from 'sveltekit-superforms/adapters';
import { codeForm, emailForm } from './schemas.ts';

/** Tells apart the forms of a page; the one field of the form library that ours have. */
const FORM_ID = '__superform_id';

export const postedEmail = async (
	event: RequestEvent,
	id: string
): Promise<SuperValidated<{ email: string }>> =>
	superValidate(await fieldsOf(event), zod4(emailForm), { id });

export const postedCode = async (
	event: RequestEvent,
	id: string
): Promise<SuperValidated<{ email: string; code: string }>> =>
	superValidate(await fieldsOf(event), zod4(codeForm), { id });

/**
 * Without the form library's own notation for nested data and files: no form of ours uses it, and
 * its parser throws at what it does not like, which would be a 500.
 */
const fieldsOf = async ({ request }: RequestEvent): Promise<FormData> => {
	const fields = await request.formData();
	for (const name of new Set(fields.keys())) {
		if (name.startsWith('__superform_') && name !== FORM_ID) fields.delete(name);
	}
	return fields;
};
