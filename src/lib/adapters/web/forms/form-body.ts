import { readAtMost } from '../limits/bounded-body.ts';

/** Bounds of a form: the forms of pages are small. */
export const MAX_FORM_BYTES = 64 * 1024;
export const MAX_FORM_FIELDS = 100;

/**
 * The longest content type that is read. Searching a body for a multipart boundary takes the length of
 * the one times the length of the other, and a header may hold a boundary of 16 KiB. RFC 2046 allows 70
 * characters.
 */
const MAX_TYPE_LENGTH = 200;

const URLENCODED = 'application/x-www-form-urlencoded';
const MULTIPART = 'multipart/form-data';

export type FormBody =
	| { readonly kind: 'read'; readonly fields: FormData; readonly bytes: Uint8Array<ArrayBuffer> }
	/** More bytes or more fields than the bounds allow. */
	| { readonly kind: 'too_large' }
	/** Not a form, or the client went away before it was complete. */
	| { readonly kind: 'unreadable' };

/** Reads the body of a form once, within the bounds, in time that grows linearly with its length. */
export const readForm = async (request: Request): Promise<FormBody> => {
	const type = request.headers.get('content-type') ?? '';
	const media = mediaType(type);
	if (type.length > MAX_TYPE_LENGTH || (media !== URLENCODED && media !== MULTIPART)) {
		return { kind: 'unreadable' };
	}
	try {
		const bytes = await readAtMost(request, MAX_FORM_BYTES);
		// Counted before parsing: the parser takes a second for 262,144 equal names.
		if (bytes === null || (media === URLENCODED && countPairs(bytes) > MAX_FORM_FIELDS)) {
			return { kind: 'too_large' };
		}
		const fields = await new Response(bytes, { headers: { 'content-type': type } }).formData();
		// The parts of a multipart body have to be parsed to be counted, which takes linear time.
		if ([...fields.keys()].length > MAX_FORM_FIELDS) return { kind: 'too_large' };
		return { kind: 'read', fields, bytes };
	} catch {
		return { kind: 'unreadable' };
	}
};

/** The media type of a content type, without its parameters. */
export const mediaType = (contentType: string): string =>
	(contentType.split(';', 1)[0] ?? '').trim().toLowerCase();

const AMPERSAND = 0x26;

const countPairs = (bytes: Uint8Array): number => {
	let pairs = 0;
	let before = AMPERSAND;
	for (const byte of bytes) {
		if (before === AMPERSAND && byte !== AMPERSAND) pairs += 1;
		before = byte;
	}
	return pairs;
};
