import { z } from 'zod';
import type { Sealer } from '#lib/domain/ports.ts';
import type { BrowserKey } from '#lib/domain/secret.ts';

/** The text of a form that was posted after its session had ended. */
export interface Draft {
	/** The id of the account whose page contained the form. Nobody else gets the text. */
	readonly account: string;
	readonly field: string;
	readonly text: string;
}

/** In seconds. Enough to sign in again with a code. */
export const DRAFT_LIFETIME = 15 * 60;

/** Longer texts are not kept. No field of ours accepts one. */
const MAX_TEXT = 512;

/** Browsers keep cookies of 4096 bytes, name and attributes included. */
const MAX_SEALED = 3800;

const draft = z.object({ account: z.uuid(), field: z.string(), text: z.string().max(MAX_TEXT) });

/** Drafts in a cookie, encrypted and bound to the browser. */
export interface Drafts {
	/** Returns null for anything that is not a draft of our forms. */
	seal(values: Readonly<Record<keyof Draft, unknown>>, browser: BrowserKey): string | null;
	open(sealed: string, browser: BrowserKey): Draft | null;
}

export const drafts = (sealer: Sealer): Drafts => {
	const contextOf = (browser: BrowserKey): string => `draft ${browser}`;
	return {
		seal: (values, browser) => {
			const parsed = draft.safeParse(values);
			if (!parsed.success) return null;
			const sealed = sealer.seal(JSON.stringify(parsed.data), contextOf(browser));
			return sealed.length <= MAX_SEALED ? sealed : null;
		},
		open: (sealed, browser) => {
			const text = sealer.open(sealed, contextOf(browser));
			// Another version of this software may have sealed it.
			return text === null ? null : (draft.safeParse(JSON.parse(text)).data ?? null);
		}
	};
};
