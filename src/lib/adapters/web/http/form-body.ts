import { error, type RequestEvent } from '@sveltejs/kit';
import { messages } from '#lib/messages/messages.ts';
import { readAtMost } from './bounded-body.ts';

/** The limits of a form. Forms on pages are small. */
export const MAX_FORM_BYTES = 64 * 1024;
export const MAX_FORM_FIELDS = 100;

/**
 * Finding a multipart boundary takes time proportional to body times boundary, and a header may hold
 * 16 KiB. RFC 2046 allows 70 characters.
 */
export const MAX_TYPE_LENGTH = 200;

export const URLENCODED = 'application/x-www-form-urlencoded';
export const MULTIPART = 'multipart/form-data';

type FormBody =
	| { readonly kind: 'read'; readonly fields: FormData; readonly bytes: Uint8Array<ArrayBuffer> }
	| { readonly kind: 'too_large' }
	/** Not a form, or the client disconnected before the end. */
	| { readonly kind: 'unreadable' };

/** Reads the body of a form once, within the limits, in time proportional to its length. */
export const readForm = async (request: Request): Promise<FormBody> => {
	const type = request.headers.get('content-type') ?? '';
	const media = mediaType(type);
	if (type.length > MAX_TYPE_LENGTH || !isFormType(type)) return { kind: 'unreadable' };
	try {
		const bytes = await readAtMost(request, MAX_FORM_BYTES);
		// Count before parsing: the parser takes a second for 262,144 equal names.
		if (bytes === null || (media === URLENCODED && countPairs(bytes) > MAX_FORM_FIELDS)) {
			return { kind: 'too_large' };
		}
		const fields = await new Response(bytes, { headers: { 'content-type': type } }).formData();
		// The parts of a multipart body must be parsed to be counted, which takes linear time.
		if ([...fields.keys()].length > MAX_FORM_FIELDS) return { kind: 'too_large' };
		return { kind: 'read', fields, bytes };
	} catch {
		return { kind: 'unreadable' };
	}
};

export const isFormType = (contentType: string): boolean =>
	[URLENCODED, MULTIPART].includes(mediaType(contentType));

export const mediaType = (contentType: string): string =>
	(contentType.split(';', 1)[0] ?? '').trim().toLowerCase();

const countPairs = (bytes: Uint8Array): number =>
	new TextDecoder('latin1').decode(bytes).split('&').filter(Boolean).length;

/**
 * The form library's id field, which tells the forms of a page apart. Our forms use no other field
 * of the library.
 */
const FORM_ID = '__superform_id';

/**
 * Reads the posted fields. It does not use the form library's notation for nested data and files:
 * no form here needs it, and its parser throws on invalid input, which would be a 500.
 * The framework refuses what is not a form at pages, but not at endpoints.
 */
export const postedFields = async ({ request }: RequestEvent): Promise<FormData> => {
	if (!isFormType(request.headers.get('content-type') ?? ''))
		error(415, messages.faults.badRequest);
	const fields = await request.formData();
	for (const name of new Set(fields.keys())) {
		if (name.startsWith('__superform_') && name !== FORM_ID) fields.delete(name);
	}
	return fields;
};
