import { randomUUID } from 'node:crypto';
import type { App } from '#lib/app.server.ts';
import { AuthCookies } from '../cookies.ts';
import type { Gate } from './gates.ts';

/** Puts the composed application on the request; routes reach the use-cases only through it. */
export const putApp =
	(currentApp: () => App): Gate =>
	(event) => {
		const app = currentApp();
		const { headers } = event.request;
		event.locals.app = app;
		// Not one that is ordered, as those of rows are: it takes a tenth of the time.
		event.locals.requestId = randomUUID();
		event.locals.clientAddress = app.clientAddress({
			peer: event.getClientAddress(),
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
