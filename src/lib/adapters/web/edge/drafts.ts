import { z } from 'zod';
import type { RequestEvent } from '@sveltejs/kit';
import type { CodeKey } from '#lib/domain/secret.ts';
import { actionOf } from '../http/paths.ts';

/** Enough to sign in again with a code. */
const DRAFT_LIFETIME_S = 15 * 60;

/** Longer texts are not kept. No field of ours accepts one. */
const MAX_TEXT = 512;

/** Browsers keep cookies of 4096 bytes, name and attributes included. */
const MAX_SEALED = 3800;

/** The text of a form that was posted after its session had ended. */
const draft = z.object({
	/** The id of the account whose page contained the form. Nobody else gets the text. */
	account: z.uuid(),
	field: z.string(),
	text: z.string().max(MAX_TEXT)
});

const contextOf = (codeKey: CodeKey): string => `draft ${codeKey}`;

/** The hidden field of a form whose text is kept: the id of the account that its page shows. */
const ACCOUNT_FIELD = 'account';

/**
 * Keeps the typed text of a form whose session has ended, until the person has signed in again. Call
 * it after the form token was checked, so that no other site can store a text here. Returns the
 * section of the page that will show it. Null if there is nothing to keep.
 */
export const keepDraft = async ({ locals, request, url }: RequestEvent): Promise<string | null> => {
	const field = locals.rules.draftFields.get(actionOf(url.searchParams));
	const codeKey = locals.ownCookies.get('codeKey');
	if (field === undefined || codeKey === null) return null;
	const fields = await request.formData();
	const { name, section } = field;
	const values = { account: fields.get(ACCOUNT_FIELD), field: name, text: fields.get(name) };
	const parsed = draft.safeParse(values);
	if (!parsed.success) return null;
	const sealed = locals.app.sealer.seal(JSON.stringify(parsed.data), contextOf(codeKey));
	if (sealed.length > MAX_SEALED) return null;
	locals.ownCookies.set('draft', sealed, DRAFT_LIFETIME_S);
	return section;
};

/**
 * The text that was typed into a field before the session ended, once. Null if there is none. The
 * text of another account is discarded.
 */
export const takeDraft = ({ locals, request }: RequestEvent, field: string): string | null => {
	// A response to HEAD shows nothing, so the text stays for the page.
	if (request.method === 'HEAD') return null;
	const { app, ownCookies, user } = locals;
	const codeKey = ownCookies.get('codeKey');
	const sealed = ownCookies.get('draft');
	if (sealed === null || codeKey === null || user === null) return null;
	const opened = app.sealer.open(sealed, contextOf(codeKey));
	// Another version may have sealed something else.
	const kept = opened === null ? undefined : draft.safeParse(JSON.parse(opened)).data;
	const isOwn = kept?.account === user.id;
	if (isOwn && kept.field !== field) return null;
	ownCookies.delete('draft');
	return isOwn ? kept.text : null;
};
