/**
 * How the server tells a page with script which ticked consent it may give now: at the end of where it
 * leads. The page takes the mark off before it goes there.
 */
const MARK = '#consent-';

/** Marks also that there is none: what a link of somebody else brought along is never the last mark. */
export const withConsentMark = (location: string, pending = ''): string =>
	location + MARK + pending;

/** Where it leads, and the pending consent that may be given; empty for none. */
export const readConsentMark = (marked: string): [location: string, pending: string] => {
	const at = marked.lastIndexOf(MARK);
	return at < 0 ? [marked, ''] : [marked.slice(0, at), marked.slice(at + MARK.length)];
};
