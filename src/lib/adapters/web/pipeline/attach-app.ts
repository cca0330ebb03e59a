import { randomUUID } from 'node:crypto';
import type { App } from '#lib/app.server.ts';
import type { RequestEvent } from '@sveltejs/kit';
import { AuthCookies } from '../sessions/auth-cookies.ts';
import { requestTarget } from './request-target.ts';
import type { Gate } from './run-checks.ts';

/**
 * Puts the composed application on the request; routes reach the use-cases only through it. A request
 * whose socket is gone is refused before any work: its client address is unknown, and nobody receives
 * the answer.
 */
export const putApp =
	(currentApp: () => App): Gate =>
	(event) => {
		const peer = peerOf(event);
		if (peer === undefined) return new Response(null, { status: 400 });
		const app = currentApp();
		const { headers } = event.request;
		event.locals.app = app;
		event.locals.target = requestTarget(event);
		// Not one that is ordered, as those of rows are: it takes a tenth of the time.
		event.locals.requestId = randomUUID();
		event.locals.clientAddress = app.clientAddress({
			peer,
			forwardedFor: headers.get('x-forwarded-for'),
			realIp: headers.get('x-real-ip')
		});
		event.locals.authCookies = new AuthCookies(
			event.cookies,
			headers.get('cookie'),
			app.config.secure
		);
		event.locals.user = null;
		event.locals.session = null;
		event.locals.credential = null;
		return null;
	};

/** The framework's type leaves out what its adapter returns once the socket is gone. */
const peerOf = (event: RequestEvent): string | undefined => event.getClientAddress();
