import { siteManifest } from '#lib/brand/site-manifest.ts';
import type { RequestHandler } from './$types';

/** A route and no file, because `SITE_NAME` is known only when the server starts. */
export const GET: RequestHandler = ({ locals }) =>
	Response.json(siteManifest(locals.app.config.siteName), {
		headers: { 'content-type': 'application/manifest+json' }
	});
