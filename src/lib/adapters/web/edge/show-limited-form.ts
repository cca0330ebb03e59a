import type { RequestEvent } from '@sveltejs/kit';
import { checkOrigin } from './check-origin.ts';
import { loadSession } from './session/load-session.ts';

/**
 * Responds to a form that a limit per client refused: with its page, as for a GET, so that the
 * person keeps the form. The action cannot run, and the body is never read. Rendering costs what a
 * GET of the page costs, which has no limit either. `refusal` is the response where the page cannot
 * show the form: to a form of another site, and if the page redirects.
 */
export const showLimitedForm = async (
	event: RequestEvent,
	refusal: Response,
	render: (event: RequestEvent) => Promise<Response>
): Promise<Response> => {
	if ((await checkOrigin(event)) !== null) return refusal;
	const { url, headers } = event.request;
	const asRead = { ...event, request: new Request(url, { headers }) };
	await loadSession(asRead);
	const page = await render(asRead);
	if (page.status !== 200) return refusal;
	const limited = new Response(page.body, { status: refusal.status, headers: page.headers });
	limited.headers.set('retry-after', refusal.headers.get('retry-after') ?? '');
	return limited;
};
