import type { LayoutServerLoad } from './$types';

/** What every page may know about who looks at it. */
export const load: LayoutServerLoad = ({ locals }) => ({
	siteName: locals.app.config.siteName,
	user: locals.user && { email: locals.user.email, name: locals.user.name }
});
