import { error, redirect, type RequestEvent } from '@sveltejs/kit';
import { messages } from '#lib/messages/messages.ts';
import { checkLimits } from '../edge/limits/check-limits.ts';
import { actorContextOf } from '../events/request-context.ts';
import { loadSession } from '../edge/session/load-session.ts';
import { logFault } from '../http/faults.ts';
import { readForm } from '../http/form-body.ts';
import { httpErrors, methodNotAllowed } from '../http/http-errors.ts';
import { logEvent } from '../http/log-event.ts';
import { setFlash } from '../http/flash.ts';
import { plainPage } from '../http/plain-page.ts';
import { signOutBrowser } from '../sessions/end-sessions.ts';
import { KNOWN_PATHS, OIDC_PATH, ROUTES } from './provider-paths.ts';

/** A person's browser opens these. Programs call the other ones. */
const PERSONS_PATHS: readonly string[] = [ROUTES.authorization, ROUTES.end_session];

/**
 * Answers everything below the provider's path. Requests come from other sites and from servers, so the
 * checks of forms do not apply. With the cookie of a session, another site can only make a registered
 * application get a code, at its own redirect URI. A sign-out also needs an ID token of that session.
 */
export const answerOidc = async (event: RequestEvent): Promise<Response> => {
	const { app } = event.locals;
	const { headers, method, url } = event.request;
	const path = event.url.pathname.slice(OIDC_PATH.length);
	if (app.oidc === null || !KNOWN_PATHS.includes(path)) {
		return checkLimits(event) ?? error(404, messages.faults.notFound);
	}
	const isPersons = PERSONS_PATHS.includes(path);
	// The people of an office have one address, too, so each one who is signed in has limits of their own.
	if (isPersons) await loadSession(event);
	const overLimit = isPersons ? checkLimits(event, event.locals.user?.id) : null;
	if (overLimit !== null) return overLimit;
	// Answered as a GET, it would issue a code or sign the person out.
	if (method === 'HEAD' && isPersons) return methodNotAllowed(['GET', 'POST']);
	const posted = method === 'POST' ? await readForm(event.request) : null;
	const form = posted?.kind === 'read' ? posted : null;
	// An application's server has one address for all its people. So a call with a secret or a token counts
	// only if that is wrong, which the library finds before it does anything else.
	const fields = form?.fields;
	const hasCredential = fields?.has('client_secret') || fields?.has('access_token');
	const presentsCredential = !isPersons && (headers.has('authorization') || hasCredential);
	const limited = isPersons || presentsCredential ? null : checkLimits(event);
	if (limited !== null) return asError(limited);
	if (posted !== null && form === null) {
		return Response.json({ error: 'invalid_request' }, { status: 400 });
	}
	// The browser sends no cookies of ours with another site's form, so it comes back with a GET.
	if (form && isPersons) {
		const query = [...form.fields].map(([name, value]) => [name, String(value)]);
		redirect(303, `${event.url.pathname}?${new URLSearchParams(query)}`);
	}

	const { user, session } = event.locals;
	const { response, refusal, fault, isAuthenticated } = await app.oidc.handle(
		form ? new Request(url, { method, headers, body: form.bytes }) : event.request,
		{
			signedIn: user && session && { user, session },
			end: () => app.inEventContext(actorContextOf(event), () => signOutBrowser(event))
		}
	);
	if (presentsCredential && !isAuthenticated && !(path === ROUTES.userinfo && response.ok)) {
		const refused = checkLimits(event);
		if (refused !== null) return asError(refused);
	}
	if (fault !== null) {
		// A person gets a page.
		if (isPersons) throw fault;
		logFault(event, fault);
		return new Response(response.body, { status: 503, headers: response.headers });
	}
	if (refusal !== null) {
		// The person still wants to sign out. The hint can be too old, or the target not registered.
		if (path === ROUTES.end_session) redirect(303, '/auth/sign-out');
		logEvent(event, 'oidc_refused', { error: refusal.error, detail: refusal.detail });
		return plainPage(event, refusal.status, messages.oidc.invalid);
	}
	if (response.headers.get('location') === `${app.config.origin}/`) setFlash(event, 'signed-out');
	// For HEAD, the server would cancel the body, and the library then throws while it closes the stream.
	return method === 'HEAD' ? new Response(null, response) : response;
};

/** A refusal of the limits for a program, in the form of the library's errors. */
const asError = ({ status, headers }: Response): Response => {
	headers.set('content-type', 'application/json');
	const { message: error_description } = httpErrors.too_many_requests;
	const error = { error: 'temporarily_unavailable', error_description };
	return new Response(JSON.stringify(error), { status, headers });
};
