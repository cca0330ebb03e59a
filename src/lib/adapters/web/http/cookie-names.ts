const prefixOf = (secure: boolean): string => (secure ? '__Host-' : '');

/** The name of the session cookie, whose value is a credential. */
export const sessionCookie = (secure: boolean): string => `${prefixOf(secure)}postern_session`;

const namesOf = (secure: boolean) => {
	const prefix = prefixOf(secure);
	return {
		session: sessionCookie(secure),
		browser: `${prefix}postern_browser`,
		device: `${prefix}postern_device`,
		cache: `${prefix}postern_cache`,
		link: `${prefix}postern_link`,
		restore: `${prefix}postern_restore`,
		consent: `${prefix}postern_consent`,
		notice: `${prefix}postern_notice`,
		done: `${prefix}postern_done`,
		draft: `${prefix}postern_draft`
	};
};

/** The names of our cookies, over https and over http. */
export const COOKIE_NAMES = { secure: namesOf(true), plain: namesOf(false) };
