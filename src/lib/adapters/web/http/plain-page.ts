import type { RequestEvent } from '@sveltejs/kit';
import { logo } from '#lib/brand/derived.ts';
import { escapeHtml } from '#lib/escape-html.ts';
import { messages } from '#lib/messages/messages.ts';
import { signInLayouts } from '#lib/sign-in-layouts.ts';
import { pathWithoutAction } from '#lib/path-without-action.ts';
import { scriptError, waitOf } from './http-errors.ts';
import { isScripted } from './request-headers.ts';
import template from '../../../../error.html?raw';

/**
 * A page for a person when the application cannot render one: error.html with our text. The first
 * sentence is the heading. The link opens the requested page again if `mayRetry`, otherwise the home
 * page or `link`. If a script posted the form, the response is the same text as JSON.
 */
export const plainPage = (
	event: RequestEvent,
	status: number,
	message: string,
	{
		mayRetry = false,
		link = HOME,
		retryAfter = null
	}: { mayRetry?: boolean; link?: string; retryAfter?: number | null } = {}
): Response => {
	if (isScripted(event)) {
		return scriptError(status, { message }, retryAfter);
	}
	const retry = linkTo(pathWithoutAction(event.url), messages.faultPages.retry);
	const [, title = message, text = ''] = /^(.+?)\.(?: (.+))?$/.exec(message) ?? [];
	// It comes from the environment. The other values are ours.
	const site = escapeHtml(event.locals.app.config.siteName);
	const parts: readonly [string | RegExp, string][] = [
		[/(?<=<title>)[^<]*/, messages.common.title(title, site)],
		[/(?<=<h1>)[^<]*/, title],
		[TEXT, text && `<p class="muted">${text}</p>`],
		[HOME, mayRetry ? retry : link],
		['<!-- site -->', `<p class="home">${LOGO}<span>${site}</span></p>`]
	];
	const page = parts.reduce((html, [place, part]) => html.replace(place, () => part), template);
	const headers = { 'content-type': 'text/html; charset=utf-8', ...waitOf(retryAfter) };
	return new Response(page, { status, headers });
};

/**
 * The page to which clients send people after an error. Its text depends on the code, but it never
 * shows the code: a link could contain any text there.
 */
export const errorPage = (event: RequestEvent, code: string): Response => {
	const message = clientErrors.get(code.toUpperCase()) ?? messages.faults.elsewhere;
	const { signIn } = signInLayouts[event.locals.app.config.signInLayout];
	return plainPage(event, 200, message, { link: linkTo(signIn, messages.common.signIn) });
};

/**
 * Whether the framework answered with error.html itself, because not even the layout could be
 * rendered.
 */
export const isFallbackPage = ({ status, headers }: Response): boolean =>
	status >= 500 &&
	headers.get('content-type')?.startsWith('text/html') === true &&
	// Pages have their own policy.
	!headers.has('content-security-policy');

/** The texts of that page by code. */
const clientErrors: ReadonlyMap<string, string> = new Map(Object.entries(messages.clientErrors));

export const linkTo = (path: string, text: string, target = ''): string =>
	`<a class="button" ${target}href="${escapeHtml(path)}">${text}</a>`;

/** The link and the text of error.html. */
const HOME = linkTo('/', messages.faultPages.home);
const TEXT = '<p class="muted">%sveltekit.error.message%</p>';

const LOGO = logo.replace('<svg', '<svg aria-hidden="true"');
