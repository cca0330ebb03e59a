import type { RequestEvent } from '@sveltejs/kit';
import { messages } from '#lib/messages/messages.ts';
import { httpError } from '../http/http-errors.ts';
import { withoutGroups } from '../http/paths.ts';
import { plainPage } from '../http/plain-page.ts';

/** With `DOCS=off`, these are not found, whatever the method. */
const DOCS = ['/docs', '/api/auth/openapi.json'];

/** Refuses what the operator switched off. Otherwise a wrong method would get 405. */
export const refuseSwitchedOff = (event: RequestEvent): Response | null => {
	const { app, target } = event.locals;
	if (app.config.docs || !DOCS.includes(withoutGroups(target.routeId ?? ''))) return null;
	if (target.isApi) return httpError('not_found');
	// The page itself answers these.
	if (['GET', 'HEAD'].includes(event.request.method)) return null;
	return plainPage(event, 404, messages.faults.notFound);
};
