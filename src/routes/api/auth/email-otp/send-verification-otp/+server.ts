import { boundBrowser } from '#lib/adapters/web/bound-browser.ts';
import { endpointWithBody, onlyMethods } from '#lib/adapters/web/endpoint.ts';
import { invalidOtpType, purposeOf } from '#lib/adapters/web/otp-type.ts';
import { jsonOutcome } from '#lib/adapters/web/outcome.ts';
import { recordOutcome } from '#lib/adapters/web/record.ts';
import { sendCodeBody } from '#lib/adapters/web/schemas.ts';

export const POST = endpointWithBody(sendCodeBody, async (event, { email, type = 'sign-in' }) => {
	const { app, authCookies } = event.locals;
	const purpose = purposeOf(type);
	if (purpose === null) return invalidOtpType();
	const browser = boundBrowser(event);
	const requested = await app.requestCode({ email, purpose, browser });
	recordOutcome(event, 'code_requested', email, requested);
	if (!requested.ok) return jsonOutcome(requested.error);
	if (browser !== null) authCookies.setBrowserKey(browser);
	return Response.json({ success: true });
});

export const fallback = onlyMethods('POST');
