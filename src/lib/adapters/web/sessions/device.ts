import type { RequestEvent } from '@sveltejs/kit';
import type { Device } from '#lib/domain/sessions/session.ts';

/** The device that a new session is opened on. */
export const deviceOf = (event: RequestEvent): Device => ({
	ipAddress: event.locals.clientAddress,
	userAgent: event.request.headers.get('user-agent') ?? ''
});
