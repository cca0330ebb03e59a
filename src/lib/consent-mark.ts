/**
 * How the server tells a page with script that the consent which was ticked there may be given now: at
 * the end of where it leads, behind a `#`. The page takes it off before it goes there.
 */
const MARK = /#consent-(\d+)$/;

export const withConsentMark = (location: string, pending: string): string =>
	`${location}#consent-${pending}`;

export interface MarkedLocation {
	readonly location: string;
	/** The pending consent that may be given; null for none. */
	readonly pending: string | null;
}

export const readConsentMark = (marked: string): MarkedLocation => ({
	location: marked.replace(MARK, ''),
	pending: MARK.exec(marked)?.[1] ?? null
});
