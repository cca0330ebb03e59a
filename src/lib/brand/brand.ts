/**
 * What makes the site yours. Change the values below, and the logo in logo.svg: a square drawing in
 * which `currentColor` is the accent. `npm run dev` shows the result.
 */
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
	/** More links at the end of every page, such as privacy, terms and imprint. */
	readonly links: readonly {
		readonly text: string;
		readonly href: `/${string}` | `https://${string}`;
	}[];
	readonly developerLinks: boolean;
}

export const brand: SiteBrand = {
	name: 'Postern',
	accent: '#0d604b',
	supportEmail: null,
	links: [],
	developerLinks: true
};
