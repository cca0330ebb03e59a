import type { RequestEvent } from '@sveltejs/kit';
import { actionOf } from './limits/route-limits.ts';
import { DRAFT_LIFETIME } from './drafts.ts';

/** The hidden field of a form whose text is kept: the id of the account that its page shows. */
const ACCOUNT_FIELD = 'account';

/**
 * Keeps the typed text of a form whose session has ended, until the person has signed in again. Call
 * it after the form token was checked, so that no other site can store a text here. Returns the
 * section of the page that will show it. Null if there is nothing to keep.
 */
export const keepText = async ({ locals, request, url }: RequestEvent): Promise<string | null> => {
	const field = locals.rules.keptFields.get(actionOf(url.searchParams));
	const browser = locals.authCookies.browserKey();
	if (field === undefined || browser === null) return null;
	const fields = await request.formData();
	const { name, section } = field;
	const values = { account: fields.get(ACCOUNT_FIELD), field: name, text: fields.get(name) };
	const sealed = locals.app.drafts.seal(values, browser);
	if (sealed === null) return null;
	locals.authCookies.setDraft(sealed, DRAFT_LIFETIME);
	return section;
};

/**
 * The text that was typed into a field before the session ended, once. Null if there is none. The
 * text of another account is discarded.
 */
export const takeText = ({ locals, request }: RequestEvent, field: string): string | null => {
	// A response to HEAD shows nothing, so the text stays for the page.
	if (request.method === 'HEAD') return null;
	const { app, authCookies, user } = locals;
	const browser = authCookies.browserKey();
	const sealed = authCookies.draft();
	if (sealed === null || browser === null || user === null) return null;
	const draft = app.drafts.open(sealed, browser);
	const isOwn = draft?.account === user.id;
	if (isOwn && draft.field !== field) return null;
	authCookies.setDraft(null);
	return isOwn ? draft.text : null;
};
