/**
 * The end of a redirect location. It tells a page with script which pending consent it may give
 * now. The page removes the mark before it follows the redirect.
 */
const MARK = '#consent-';

/** Always adds a mark, even an empty one. Otherwise a mark in an attacker's link would be the last. */
export const withConsentMark = (location: string, pending = ''): string =>
	location + MARK + pending;

/** The location without the mark, and the pending consent that may be given. Empty for none. */
export const readConsentMark = (marked: string): [location: string, pending: string] => {
	const at = marked.lastIndexOf(MARK);
	return at < 0 ? [marked, ''] : [marked.slice(0, at), marked.slice(at + MARK.length)];
};
