import { pageToken } from '#lib/adapters/web/page-token.ts';
import type { LayoutServerLoad } from './$types';

/** What every page may know about who looks at it. */
export const load: LayoutServerLoad = (event) => {
	const { app, user } = event.locals;
	return {
		siteName: app.config.siteName,
		user: user && { email: user.email, name: user.name },
		formToken: pageToken(event)
	};
};
