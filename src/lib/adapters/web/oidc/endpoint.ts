import { error, redirect, type RequestEvent } from '@sveltejs/kit';
import { StoreUnavailable } from '#lib/domain/errors.ts';
import { messages } from '#lib/messages/messages.ts';
import { checkLimits } from '../edge/check-limits.ts';
import { eventContextOf } from '../edge/event-context.ts';
import { loadSession } from '../edge/session/load-session.ts';
import { logFault } from '../http/faults.ts';
import { readForm } from '../http/form-body.ts';
import { logEvent } from '../http/log-event.ts';
import { leaveNotice } from '../http/notice.ts';
import { plainPage } from '../http/plain-page.ts';
import { signOut } from '../sessions/end-sessions.ts';
import { isProviderPath, OIDC_PATH, ROUTES } from './paths.ts';

/** In characters. Requests are stored while they wait for a sign-in, and usual ones have 600. */
const MAX_QUERY = 4096;

/**
 * Answers everything below the provider's path. Requests come from other sites and from servers, so the
 * checks of forms do not apply: no change here acts on a cookie.
 */
export const answerOidc = async (event: RequestEvent): Promise<Response> => {
	const { app } = event.locals;
	const path = event.url.pathname.slice(OIDC_PATH.length);
	const { oidc } = app;
	if (oidc === null || !isProviderPath(path)) {
		return checkLimits(event) ?? error(404, messages.faults.notFound);
	}
	if (event.url.search.length > MAX_QUERY) {
		return checkLimits(event) ?? plainPage(event, 414, messages.oidc.invalid);
	}
	const { headers, method } = event.request;
	const posted = method === 'POST' ? await readForm(event.request) : null;
	const form = posted?.kind === 'read' ? posted : null;
	const isCounted = !(await oidc.isTrusted(path, headers, form?.fields ?? null));
	const limited = isCounted ? checkLimits(event) : null;
	if (limited !== null) return limited;
	if (posted !== null && form === null)
		return Response.json({ error: 'invalid_request' }, { status: 400 });
	// The browser sends no cookies of ours with another site's form, so it comes back with a GET.
	if (form && isPersonsPath(path)) {
		const fields = [...form.fields].map(([name, value]) => [name, String(value)]);
		const query = new URLSearchParams(fields).toString();
		if (query.length > MAX_QUERY) return plainPage(event, 414, messages.oidc.invalid);
		redirect(303, `${event.url.pathname}?${query}`);
	}

	const { response, refusal, fault, endsSession } = await oidc.handle({
		request: form
			? new Request(event.request.url, { method, headers, body: form.bytes })
			: event.request,
		session: async () => {
			await loadSession(event);
			const { user, session } = event.locals;
			return user && session && { user, session };
		}
	});
	if (fault !== null) return answerFault(event, path, response, fault);
	if (refusal !== null) {
		// The person still wants to sign out. The hint can be too old, or the target not registered.
		if (path === ROUTES.end_session) redirect(303, '/auth/sign-out');
		const { status, error: code, detail } = refusal;
		logEvent(event, 'oidc_refused', { error: code, detail });
		const { expired, invalid } = messages.oidc;
		return plainPage(
			event,
			status,
			code === 'invalid_request' && path !== ROUTES.authorization ? expired : invalid
		);
	}
	if (endsSession) {
		await app.inEventContext(eventContextOf(event), () => signOut(event));
		const location = response.headers.get('location') ?? '/';
		if (location === `${app.config.origin}/`) leaveNotice(event, 'signed-out');
		return new Response(null, { status: 303, headers: { location } });
	}
	return response;
};

/** The paths that a person's browser opens. */
const isPersonsPath = (path: string): boolean =>
	path.startsWith(ROUTES.authorization) || path === ROUTES.end_session;

/** A person gets a page. A program gets JSON in the library's form, also when the store fails. */
const answerFault = (
	event: RequestEvent,
	path: string,
	response: Response,
	fault: unknown
): Response => {
	if (isPersonsPath(path)) throw fault;
	logFault(event, fault);
	return fault instanceof StoreUnavailable
		? Response.json({ error: 'temporarily_unavailable' }, { status: 503 })
		: response;
};
