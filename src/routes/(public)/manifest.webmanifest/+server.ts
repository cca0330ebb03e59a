import { pageColours } from '#lib/brand/derived.ts';
import type { RequestHandler } from './$types';

/**
 * What phones show if a person adds the site to the home screen. A route and no file, because
 * `SITE_NAME` is known only when the server starts.
 */
export const GET: RequestHandler = ({ locals }) => {
	const name = locals.app.config.siteName;
	const manifest = {
		name,
		short_name: name,
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
	};
	return Response.json(manifest, { headers: { 'content-type': 'application/manifest+json' } });
};
