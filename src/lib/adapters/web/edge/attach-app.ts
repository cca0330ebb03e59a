import { randomUUID } from 'node:crypto';
import type { App } from '#lib/app.server.ts';
import type { RequestEvent } from '@sveltejs/kit';
import { AuthCookies } from '../http/auth-cookies.ts';
import { rulesOf } from '../route-rules.ts';
import { requestTarget } from './request-target.ts';

/**
 * Fills in `event.locals`, all of it but the session. Routes reach the use-cases only through
 * `locals.app`. Refuses a request whose socket has closed: its client address is unknown, and nobody
 * would receive the response.
 */
export const attachApp = (event: RequestEvent, app: App): Response | null => {
	const { locals } = event;
	// The framework's type omits `undefined`, which its adapter returns once the socket has closed.
	const peer: string | undefined = event.getClientAddress();
	if (peer === undefined) return new Response(null, { status: 400 });
	const { headers } = event.request;
	locals.app = app;
	locals.target = requestTarget(event);
	locals.rules = rulesOf(locals.target.routeId);
	// Not a time-ordered id like those of rows: `randomUUID` takes a tenth of the time.
	locals.requestId = randomUUID();
	locals.clientAddress = app.clientAddress({
		peer,
		forwardedFor: headers.get('x-forwarded-for'),
		realIp: headers.get('x-real-ip')
	});
	locals.authCookies = new AuthCookies(event.cookies, headers.get('cookie'), app.config.secure);
	locals.user = null;
	locals.session = null;
	locals.isStoreDown = false;
	locals.credential = null;
	locals.limitedForm = null;
	return null;
};
