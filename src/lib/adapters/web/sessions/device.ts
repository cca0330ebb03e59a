import type { RequestEvent } from '@sveltejs/kit';
import type { Device } from '#lib/domain/sessions/session.ts';

/** Where a request comes from, for the session it opens. */
export const deviceOf = (event: RequestEvent): Device => ({
	ipAddress: event.locals.clientAddress,
	userAgent: event.request.headers.get('user-agent') ?? ''
});
