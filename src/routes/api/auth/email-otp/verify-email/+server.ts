import { endpointWithBody, onlyMethods } from '#lib/adapters/web/endpoint.ts';
import { jsonOutcome } from '#lib/adapters/web/outcome.ts';
import { recordOutcome } from '#lib/adapters/web/record.ts';
import { verifyEmailBody } from '#lib/adapters/web/schemas.ts';
import { wireUser } from '#lib/adapters/web/wire.ts';

export const POST = endpointWithBody(verifyEmailBody, async (event, { email, otp }) => {
	const { app, authCookies } = event.locals;
	const browser = authCookies.browserKey();
	const verified = await app.verifyEmail({ email, code: otp, browser });
	recordOutcome(event, 'email_verified', email, verified);
	if (!verified.ok) return jsonOutcome(verified.error);
	return Response.json({ status: true, token: null, user: wireUser(verified.value) });
});

export const fallback = onlyMethods('POST');
