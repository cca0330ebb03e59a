/** What makes the site yours: everything that visitors see of its brand, except the logo. */
export interface SiteBrand {
	/** At most 60 characters on one line. `SITE_NAME` replaces it when the server starts. */
	readonly name: string;
	/**
	 * The one colour of links, buttons and the logo, such as `#0d604b`. All other colours derive from
	 * it, for light and dark. The build refuses a colour that is too light to read on white.
	 */
	readonly accent: string;
	/** Where people can ask for help. `SUPPORT_EMAIL` replaces it when the server starts. */
	readonly supportEmail: string | null;
	/** More links at the end of every page, before the legal ones. */
	readonly links: readonly BrandLink[];
	/** Linked at the end of every page, where set. */
	readonly legal: {
		readonly privacy: string | null;
		readonly terms: string | null;
		readonly imprint: string | null;
	};
	/**
	 * Whether pages link to the documentation, the changelog and the roadmap. Without a value, they do
	 * only under the original name.
	 */
	readonly developerLinks?: boolean;
}

export interface BrandLink {
	readonly text: string;
	/** A path of this site, such as `/pricing`, or an https URL. */
	readonly href: string;
}
