import { issueFormToken } from '#lib/adapters/web/edge/form-token.ts';
import { accountView } from '#lib/adapters/web/account/account-view.ts';
import { takeSessionEnd } from '#lib/adapters/web/edge/session/session-end.ts';
import { PAGE_FLASHES, takeFlash } from '#lib/adapters/web/http/flash.ts';
import type { LayoutServerLoad } from './$types';

/** Data about the visitor that every page may use. */
export const load: LayoutServerLoad = async (event) => {
	const { config } = event.locals.app;
	// Reading the URL makes every navigation reload this data. The session may have ended elsewhere,
	// and the sign-in page must not show an account that is signed out.
	void event.url.href;
	return {
		siteName: config.siteName,
		docs: config.docs,
		supportEmail: config.supportEmail,
		signInLayout: config.signInLayout,
		...(await accountView(event)),
		flash: takeFlash(event, PAGE_FLASHES) ?? takeSessionEnd(event),
		showsSiteLinks: event.locals.rules.showsSiteLinks === true,
		formToken: issueFormToken(event)
	};
};
