import { newBrowserKey } from '#lib/domain/secret.ts';
import { apiError } from '#lib/adapters/web/api-error.ts';
import { endpointWithBody, onlyMethods } from '#lib/adapters/web/endpoint.ts';
import { jsonOutcome } from '#lib/adapters/web/outcome.ts';
import { recordOutcome } from '#lib/adapters/web/record.ts';
import { sendCodeBody } from '#lib/adapters/web/schemas.ts';

export const POST = endpointWithBody(sendCodeBody, async (event, { email, type = 'sign-in' }) => {
	const { app, authCookies } = event.locals;
	if (type !== 'sign-in') return apiError(400, 'INVALID_OTP_TYPE', 'Invalid OTP type');

	// A page of ours keeps cookies, so its code is bound to the browser; phones and other sites do not.
	const bindable = event.request.headers.get('sec-fetch-site') === 'same-origin';
	const browser = bindable ? (authCookies.browserKey() ?? newBrowserKey(app.random)) : null;
	const requested = await app.requestCode({ email, browser });
	recordOutcome(event, 'code_requested', email, requested);
	if (!requested.ok) return jsonOutcome(requested.error);
	if (browser !== null) authCookies.setBrowserKey(browser);
	return Response.json({ success: true });
});

export const fallback = onlyMethods('POST');
