import { z } from 'zod';
import type { RequestEvent } from '@sveltejs/kit';
import type { Sealer } from '#lib/domain/ports.ts';
import type { CodeKey } from '#lib/domain/secret.ts';
import { actionOf } from './limits/route-limits.ts';

/** In seconds. Enough to sign in again with a code. */
const DRAFT_LIFETIME = 15 * 60;

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

type Draft = z.output<typeof draft>;

/** Drafts in a cookie, encrypted and bound to the browser. */
interface Drafts {
	/** Returns null for anything that is not a draft of our forms. */
	seal(values: Readonly<Record<keyof Draft, unknown>>, codeKey: CodeKey): string | null;
	open(sealed: string, codeKey: CodeKey): Draft | null;
}

export const drafts = (sealer: Sealer): Drafts => {
	const contextOf = (codeKey: CodeKey): string => `draft ${codeKey}`;
	return {
		seal: (values, codeKey) => {
			const parsed = draft.safeParse(values);
			if (!parsed.success) return null;
			const sealed = sealer.seal(JSON.stringify(parsed.data), contextOf(codeKey));
			return sealed.length <= MAX_SEALED ? sealed : null;
		},
		open: (sealed, codeKey) => {
			const text = sealer.open(sealed, contextOf(codeKey));
			// Another version of this software may have sealed it.
			return text === null ? null : (draft.safeParse(JSON.parse(text)).data ?? null);
		}
	};
};

/**
 * The email address of a deleted account, in the same cookie. Not in `account/deleted-account.ts`:
 * commands also open the app, and they cannot load what renders pages.
 */
export const deletedEmails = (
	sealer: Sealer
): Readonly<{
	seal: (email: string, codeKey: CodeKey) => string;
	open: (sealed: string, codeKey: CodeKey) => string | null;
}> => {
	const contextOf = (codeKey: CodeKey): string => `deleted email ${codeKey}`;
	return {
		seal: (email, codeKey) => sealer.seal(email, contextOf(codeKey)),
		open: (sealed, codeKey) => sealer.open(sealed, contextOf(codeKey))
	};
};

/** The hidden field of a form whose text is kept: the id of the account that its page shows. */
const ACCOUNT_FIELD = 'account';

/**
 * Keeps the typed text of a form whose session has ended, until the person has signed in again. Call
 * it after the form token was checked, so that no other site can store a text here. Returns the
 * section of the page that will show it. Null if there is nothing to keep.
 */
export const keepDraft = async ({ locals, request, url }: RequestEvent): Promise<string | null> => {
	const field = locals.rules.draftFields.get(actionOf(url.searchParams));
	const codeKey = locals.authCookies.codeKey();
	if (field === undefined || codeKey === null) return null;
	const fields = await request.formData();
	const { name, section } = field;
	const values = { account: fields.get(ACCOUNT_FIELD), field: name, text: fields.get(name) };
	const sealed = locals.app.drafts.seal(values, codeKey);
	if (sealed === null) return null;
	locals.authCookies.setDraft(sealed, DRAFT_LIFETIME);
	return section;
};

/**
 * The text that was typed into a field before the session ended, once. Null if there is none. The
 * text of another account is discarded.
 */
export const takeDraft = ({ locals, request }: RequestEvent, field: string): string | null => {
	// A response to HEAD shows nothing, so the text stays for the page.
	if (request.method === 'HEAD') return null;
	const { app, authCookies, user } = locals;
	const codeKey = authCookies.codeKey();
	const sealed = authCookies.draft();
	if (sealed === null || codeKey === null || user === null) return null;
	const draft = app.drafts.open(sealed, codeKey);
	const isOwn = draft?.account === user.id;
	if (isOwn && draft.field !== field) return null;
	authCookies.setDraft(null);
	return isOwn ? draft.text : null;
};
