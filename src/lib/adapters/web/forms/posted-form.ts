import type { RequestEvent } from '@sveltejs/kit';
import { superValidate, type SuperValidated } from 'sveltekit-superforms';
import { zod4 } from 'sveltekit-superforms/adapters';
import type { Name } from '#lib/domain/account/name.ts';
import { codeForm, emailForm, signInForm, nameForm, newEmailForm, sureForm } from './schemas.ts';

/**
 * The form library's id field, which tells the forms of a page apart. Our forms use no other field
 * of the library.
 */
const FORM_ID = '__superform_id';

/**
 * Reads the posted fields. It does not use the form library's notation for nested data and files:
 * no form here needs it, and its parser throws on invalid input, which would be a 500.
 */
export const postedFields = async ({ request }: RequestEvent): Promise<FormData> => {
	const fields = await request.formData();
	for (const name of new Set(fields.keys())) {
		if (name.startsWith('__superform_') && name !== FORM_ID) fields.delete(name);
	}
	return fields;
};

export const emailFormOf = (
	fields: FormData,
	id: string
): Promise<SuperValidated<{ email: string }>> => superValidate(fields, zod4(emailForm), { id });

export const signInFormOf = (
	fields: FormData,
	id: string
): Promise<SuperValidated<{ email: string; consent: boolean }>> =>
	superValidate(fields, zod4(signInForm), { id });

export const newEmailFormOf = (
	fields: FormData,
	id: string
): Promise<SuperValidated<{ email: string; code: string }>> =>
	superValidate(fields, zod4(newEmailForm), { id });

export const codeFormOf = (
	fields: FormData,
	id: string
): Promise<SuperValidated<{ email: string; code: string }>> =>
	superValidate(fields, zod4(codeForm), { id });

export const nameFormOf = (fields: FormData, id: string): Promise<SuperValidated<{ name: Name }>> =>
	superValidate(fields, zod4(nameForm), { id });

export const sureFormOf = (
	fields: FormData,
	id: string
): Promise<SuperValidated<{ sure: boolean }>> => superValidate(fields, zod4(sureForm), { id });
