import { deviceOf } from '#lib/adapters/web/device.ts';
import { endpointWithBody, onlyMethods } from '#lib/adapters/web/endpoint.ts';
import { openSession } from '#lib/adapters/web/open-session.ts';
import { recordOutcome } from '#lib/adapters/web/record.ts';
import { jsonOutcome } from '#lib/adapters/web/outcome.ts';
import { signInBody } from '#lib/adapters/web/schemas.ts';
import { wireUser } from '#lib/adapters/web/wire.ts';

export const POST = endpointWithBody(signInBody, async (event, body) => {
	const { app, authCookies } = event.locals;
	const verified = await app.verifyCode({
		email: body.email,
		code: body.otp,
		browser: authCookies.browserKey(),
		profile: {
			name: body.name ?? '',
			image: body.image ?? null,
			// With two entries consent is asked for and given apart from signing in.
			marketingOptIn: app.config.entry === 'single' && body.marketingOptIn === true
		},
		device: deviceOf(event),
		currentToken: authCookies.sessionToken(),
		ifDeleted: body.restore === true ? 'restore' : 'refuse'
	});
	recordOutcome(event, 'code_entered', body.email, verified);
	if (!verified.ok) return jsonOutcome(verified.error);

	const { token, user } = verified.value;
	openSession(event, verified.value);
	return Response.json({ token, user: wireUser(user) }, { headers: { 'set-auth-token': token } });
});

export const fallback = onlyMethods('POST');
