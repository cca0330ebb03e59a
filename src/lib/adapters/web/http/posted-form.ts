import type { RequestEvent } from '@sveltejs/kit';

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
