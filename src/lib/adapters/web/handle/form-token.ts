import type { RequestEvent } from '@sveltejs/kit';
import { messages } from '#lib/messages/messages.ts';
import { FORM_TOKEN_FIELD, isFormToken } from '../form-token.ts';
import { plainPage } from '../plain-page.ts';
import { record } from '../record.ts';
import type { Gate } from './gates.ts';

/** All that the framework lets through to an action; the last is its own, which no form of ours uses. */
const FORM_TYPES = [
	'application/x-www-form-urlencoded',
	'multipart/form-data',
	'text/plain',
	'application/x-sveltekit-formdata'
];

/**
 * Lets a form through only with a token of a page that was served to this very browser: on top of
 * the origin gate, for all forms at once. Other bodies are no forms; pages refuse them.
 */
export const formToken: Gate = (event) =>
	event.request.method !== 'POST' || event.locals.target.isApi ? null : judged(event);

const judged = async (event: RequestEvent): Promise<Response | null> => {
	if (namesDefaultAction(event)) return plainPage(event, 404, messages.faults.notFound);
	if (!isForm(event)) return null;
	const { app, authCookies } = event.locals;
	const browser = authCookies.browserKey();
	if (isFormToken(await postedToken(event), browser, app.formSigner)) return null;
	record(event, 'form_token_refused', { route: event.locals.target.routeId });
	const { noCookie, staleForm } = messages.faults;
	return plainPage(event, 403, browser === null ? noCookie : staleForm);
};

/** The framework takes `?/default` for a mistake of ours and breaks; it is an action nobody has. */
const namesDefaultAction = ({ request }: RequestEvent): boolean => {
	const names = [...new URL(request.url).searchParams.keys()];
	return names.find((name) => name.startsWith('/')) === '/default';
};

const isForm = ({ request }: RequestEvent): boolean => {
	const type = (request.headers.get('content-type') ?? '').split(';', 1)[0] ?? '';
	return FORM_TYPES.includes(type.trim().toLowerCase());
};

/** Read from a copy: the body itself is for the action. What cannot be read holds no token. */
const postedToken = async ({ request }: RequestEvent): Promise<unknown> => {
	try {
		return (await request.clone().formData()).get(FORM_TOKEN_FIELD);
	} catch {
		return null;
	}
};
