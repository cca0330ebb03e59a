import type { RequestEvent } from '@sveltejs/kit';
import type { Signer } from '#lib/domain/ports.ts';
import { newCodeKey, type CodeKey } from '#lib/domain/secret.ts';
import { messages } from '#lib/messages/messages.ts';
import { MAX_FORM_BYTES, mediaType, MULTIPART, readForm, URLENCODED } from '../http/form-body.ts';
import { declaresMoreThan } from '../http/bounded-body.ts';
import { plainPage } from '../http/plain-page.ts';
import { logEvent } from '../http/log-event.ts';
import { actionOf } from '../http/paths.ts';

const FORM_TOKEN_FIELD = 'csrf';

/**
 * A random value in hex, so that the token differs each time. This protects compressed pages against
 * guessing its characters (BREACH).
 */
const NONCE = /^[0-9a-f]{32}$/;
const NONCE_BYTES = 16;

/**
 * A token that only a page served to this browser contains: a nonce, and a signature over the nonce
 * and the code key. Nothing is stored on the server.
 */
export const newFormToken = (codeKey: CodeKey, nonce: Uint8Array, signer: Signer): string => {
	const text = [...nonce].map((byte) => byte.toString(16).padStart(2, '0')).join('');
	return `${text}.${signer.sign(contextOf(codeKey, text))}`;
};

/** Whether a posted token was issued to the browser that posts it. */
export const isFormToken = (value: unknown, codeKey: CodeKey | null, signer: Signer): boolean => {
	if (typeof value !== 'string' || codeKey === null) return false;
	const [nonce = '', signature = '', ...rest] = value.split('.');
	return (
		rest.length === 0 && NONCE.test(nonce) && signer.verify(signature, contextOf(codeKey, nonce))
	);
};

const contextOf = (codeKey: CodeKey, nonce: string): string => `form ${nonce} ${codeKey}`;

/**
 * Creates a token for the forms of the current page and binds it to the browser. Renews the
 * code key.
 */
export const issueFormToken = ({ locals: { app, ownCookies } }: RequestEvent): string => {
	const codeKey = ownCookies.get('codeKey') ?? newCodeKey(app.random);
	ownCookies.setCodeKey(codeKey);
	return newFormToken(codeKey, app.random.bytes(NONCE_BYTES), app.formSigner);
};

/**
 * Every content type for which the framework runs an action. The last one is the framework's own;
 * no form here uses it.
 */
const FORM_TYPES = [URLENCODED, MULTIPART, 'text/plain', 'application/x-sveltekit-formdata'];

/**
 * Requires a form token in a form that is posted to a page, in addition to the origin check. The
 * token must come from a page that was served to the same browser. Other content types are not
 * forms; pages refuse them without reading the body. Returns a refusal, or the event to continue
 * with: its request has the same body again, which the action reads.
 */
export const checkFormToken = async (event: RequestEvent): Promise<Response | RequestEvent> => {
	const { request } = event;
	const query = new URL(request.url).searchParams;
	// The framework throws an internal error for `?/default`. No action has that name.
	if (query.has('/default') && actionOf(query) === 'default') {
		return plainPage(event, 404, messages.faults.notFound);
	}
	if (!FORM_TYPES.includes(mediaType(request.headers.get('content-type') ?? ''))) return event;
	// The next two checks need only the headers, so they come before the body is read.
	if (declaresMoreThan(request.headers, MAX_FORM_BYTES)) return tooLarge(event);
	const { app, ownCookies } = event.locals;
	const codeKey = ownCookies.get('codeKey');
	if (codeKey === null) return refuseForm(event, messages.faults.noCookie);

	const form = await readForm(request);
	if (form.kind === 'too_large') return tooLarge(event);
	if (
		form.kind === 'unreadable' ||
		!isFormToken(form.fields.get(FORM_TOKEN_FIELD), codeKey, app.formSigner)
	) {
		return refuseForm(event, messages.refusals.staleForm);
	}
	const { url, headers, signal } = request;
	const again = new Request(url, { method: 'POST', headers, body: form.bytes, signal });
	return { ...event, request: again };
};

const tooLarge = (event: RequestEvent): Response =>
	plainPage(event, 413, messages.faults.formTooLarge, { mayRetry: true });

const refuseForm = (event: RequestEvent, message: string): Response => {
	logEvent(event, 'form_token_refused', { route: event.locals.target.routeId });
	return plainPage(event, 403, message, { mayRetry: true });
};
