import type { BrowserContext } from '@playwright/test';

/** The status of an answer, a failed request, or a request to another site. */
export type Trouble = number | 'no answer' | 'another site';

/**
 * Chromium repeats every answer from 400 on in the console; the test checks the answers
 * themselves.
 */
const ECHO = /^Failed to load resource: (?:the server responded with a status of|net::ERR_)/;

/**
 * Collects what no page may do: console errors (which include violations of the content security
 * policy), uncaught exceptions, refused or failed requests to our own origin, and requests to
 * other origins.
 */
export const watchForTrouble = (
	context: BrowserContext,
	origin: string,
	scripted: boolean,
	expected: readonly Trouble[]
): (() => readonly string[]) => {
	const seen: string[] = [];
	context.on('console', (message) => {
		const text = message.text();
		if (!['error', 'warning'].includes(message.type()) || ECHO.test(text)) return;
		if (expected.includes('no answer') && text.startsWith('TypeError: Failed to fetch')) return;
		seen.push(`console ${message.type()}: ${text}`);
	});
	context.on('weberror', (error) => seen.push(`uncaught: ${error.error().message}`));
	context.on('request', (request) => {
		if (expected.includes('another site')) return;
		const url = new URL(request.url());
		if (url.origin !== origin && /^https?:$/.test(url.protocol)) {
			seen.push(`request to somebody else: ${request.url()}`);
		}
	});
	context.on('response', (response) => {
		if (response.status() < 400 || expected.includes(response.status())) return;
		seen.push(`${response.status()} for ${response.request().method()} ${response.url()}`);
	});
	context.on('requestfailed', (request) => {
		// Without JavaScript a browser loads no scripts either.
		const unwanted = !scripted && request.resourceType() === 'script';
		// A page that was left needs no answer, and the framework does not read it to the end.
		const reason = request.failure()?.errorText;
		if (unwanted || reason === 'net::ERR_ABORTED' || expected.includes('no answer')) return;
		seen.push(`${reason} for ${request.method()} ${request.url()}`);
	});
	return () => seen;
};
