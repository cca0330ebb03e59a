import type { Done } from '#lib/view/settings.ts';

/** What an action of the settings can have done, and the section of the page that tells it. */
const SECTIONS = {
	name: 'profile',
	link: 'email',
	cancelled: 'email',
	address: 'email',
	session: 'sessions',
	others: 'sessions',
	agreed: 'consent'
} as const satisfies Record<Done, string>;

const PARAMETER = 'done';

/** The page after an action, at the place that tells what was done; it can be reloaded without doing it again. */
export const settingsAfter = (done: Done): string =>
	`/settings?${PARAMETER}=${done}#${SECTIONS[done]}`;

/** What the address of the page says was done. Anybody can write an address, so only known words count. */
export const doneIn = (url: URL): Done | null => {
	const value = url.searchParams.get(PARAMETER);
	return value !== null && Object.hasOwn(SECTIONS, value) ? (value as Done) : null;
};
