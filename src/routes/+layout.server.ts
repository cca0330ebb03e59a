import { pageToken } from '#lib/adapters/web/forms/page-token.ts';
import { shownAccount } from '#lib/adapters/web/sessions/account-view.ts';
import { themeOf } from '#lib/adapters/web/pages/theme-cookie.ts';
import type { LayoutServerLoad } from './$types';

/** What every page may know about who looks at it. */
export const load: LayoutServerLoad = async (event) => {
	const { config } = event.locals.app;
	// Read so that every way to another page asks again: the session may have ended elsewhere, and a
	// page that sends its visitor to sign in must not go on showing who they were.
	void event.url.href;
	return {
		siteName: config.siteName,
		supportEmail: config.supportEmail,
		theme: themeOf(event.cookies),
		variant: config.entry,
		...(await shownAccount(event)),
		formToken: pageToken(event)
	};
};
