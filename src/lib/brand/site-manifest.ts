import { pageColours } from './palette.ts';

/** What phones show if a person adds the site to the home screen. */
export const siteManifest = (siteName: string): object => ({
	name: siteName,
	short_name: siteName,
	start_url: '/',
	// With its address bar: people check where they sign in.
	display: 'browser',
	background_color: pageColours.light,
	theme_color: pageColours.light,
	icons: [192, 512].map((size) => ({
		src: `/icon-${size}.png`,
		sizes: `${size}x${size}`,
		type: 'image/png',
		purpose: 'any maskable'
	}))
});
