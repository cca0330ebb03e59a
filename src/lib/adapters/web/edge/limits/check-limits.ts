import type { RequestEvent } from '@sveltejs/kit';
import type { SuperValidated } from 'sveltekit-superforms';
import { messages } from '#lib/messages/messages.ts';
import { plainPage, scriptError } from '../../http/plain-page.ts';
import { isScripted } from '../../http/request-headers.ts';
import { httpError } from '../../http/http-errors.ts';
import { logEvent } from '../../http/log-event.ts';
import { refuseForNow } from '../../http/form-error.ts';
import { readForm } from '../../http/form-body.ts';
import { checkOrigin } from '../../http/origin.ts';
import { actionOf } from '../../http/paths.ts';
import { loadSession } from '../session/load-session.ts';

/**
 * Counts a request against the limits of its client before any other work is done. Returns a
 * refusal, which names the form in `locals.limitedForm` if the page can show that form again.
 */
export const checkLimits = (
	event: RequestEvent,
	client: string = event.locals.clientAddress
): Response | null => {
	const { app, rules, target } = event.locals;
	// Reads the original URL, as the framework does.
	const action = (): string => actionOf(new URL(event.request.url).searchParams);
	const retryAfter = app.hitLimits(client, {
		method: event.request.method,
		rules,
		pathname: target.pathname,
		action
	});
	if (retryAfter === 0) return null;
	logEvent(event, 'rate_limited', { route: target.routeId, retryAfter });
	if (target.isApi) return httpError('too_many_requests', undefined, retryAfter);
	const message = messages.refusals.tooOften(retryAfter);
	if (isScripted(event)) {
		return scriptError(429, { message, wait: limitWait(retryAfter) }, retryAfter);
	}
	if (event.request.method === 'POST' && rules.showsLimitedForm) {
		event.locals.limitedForm = { action: action(), retryAfter, email: null };
	}
	return plainPage(event, 429, message, { mayRetry: true, retryAfter });
};

/** A form post that a limit per client refused. */
export interface LimitedForm {
	/** The form action that it was posted to. */
	readonly action: string;
	/** As typed into the form that requests a code. Null for other forms. */
	readonly email: string | null;
	/** In whole seconds. */
	readonly retryAfter: number;
}

/** A limit per client refuses every form, whatever its fields contain. */
const limitWait = (seconds: number): App.FormWait => ({
	seconds,
	reason: messages.refusals.tooOftenNow,
	endsOnEdit: false
});

/**
 * Puts the refusal of a limit per client into a form of the page, as if the form's own action had
 * refused it. Call it only for the form that was posted. Does nothing if no limit refused the
 * request.
 */
export const addLimit = <T extends Record<string, unknown>>(
	{ locals: { limitedForm } }: Pick<RequestEvent, 'locals'>,
	form: SuperValidated<T>
): void => {
	if (limitedForm === null) return;
	const { retryAfter } = limitedForm;
	refuseForNow(form, messages.refusals.tooOften(retryAfter), limitWait(retryAfter));
};

const EMAIL_ACTION = 'request';
/** Enough for an email address. A client beyond its limit cannot make the server parse more. */
const MOST_BYTES = 2048;

/**
 * Responds to a form that a limit per client refused: with its page, as for a GET, so that the
 * person keeps the form and a typed email address. The action cannot run. Rendering costs what a GET
 * of the page costs, which has no limit either. `refusal` is the response where the page cannot show
 * the form: to a form of another site, and if the page redirects.
 */
export const showLimitedForm = async (
	event: RequestEvent,
	refusal: Response,
	render: (event: RequestEvent) => Promise<Response>
): Promise<Response> => {
	if ((await checkOrigin(event)) !== null) return refusal;
	const { limitedForm } = event.locals;
	if (limitedForm?.action === EMAIL_ACTION) {
		const body = await readForm(event.request, MOST_BYTES);
		const email = body.kind === 'read' ? body.fields.get('email') : null;
		event.locals.limitedForm = { ...limitedForm, email: typeof email === 'string' ? email : null };
	}
	const { url, headers } = event.request;
	const asRead = { ...event, request: new Request(url, { headers }) };
	await loadSession(asRead);
	const page = await render(asRead);
	if (page.status !== 200) return refusal;
	const limited = new Response(page.body, { status: refusal.status, headers: page.headers });
	limited.headers.set('retry-after', refusal.headers.get('retry-after') ?? '');
	return limited;
};
