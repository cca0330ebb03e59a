import type { Done } from '#lib/view/settings.ts';

/** What an action of the settings did, and which section of the page reports it. */
const SECTIONS = {
	name: 'profile',
	link: 'email',
	cancelled: 'email',
	session: 'sessions',
	others: 'sessions',
	agreed: 'consent',
	withdrawn: 'consent'
} as const satisfies Record<Done, string>;

const PARAMETER = 'done';

/**
 * The settings page after an action, at the section that reports it. Reloading does not repeat the
 * action.
 */
export const settingsAfter = (done: Done): string =>
	`/settings?${PARAMETER}=${done}#${SECTIONS[done]}`;

/** What the URL says was done. Anyone can write a URL, so only known values count. */
export const doneIn = (url: URL): Done | null => {
	const value = url.searchParams.get(PARAMETER);
	return value !== null && Object.hasOwn(SECTIONS, value) ? (value as Done) : null;
};
