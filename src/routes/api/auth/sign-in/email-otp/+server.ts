import { signIn } from '#lib/adapters/web/sign-in/operations.ts';
import { consentOfCall } from '#lib/adapters/web/consent/consent-box.ts';
import { requestSourceOf } from '#lib/adapters/web/edge/client.ts';
import { endpoint } from '#lib/adapters/web/api/endpoint.ts';
import { codeClientOfCall } from '#lib/adapters/web/sign-in/api-codes.ts';
import { setSessionCookies } from '#lib/adapters/web/sessions/session-response.ts';
import { logEnteredCode } from '#lib/adapters/web/http/log-event.ts';
import { wireUser } from '#lib/adapters/web/api/user.ts';
import { ok } from '#lib/domain/errors.ts';
import { NO_NAME } from '#lib/domain/user.ts';

export const { POST, fallback } = endpoint(signIn, async (event, given) => {
	const { body } = given;
	const { app, ownCookies } = event.locals;
	const readAt = app.monotonic();
	const verified = await app.verifyCode({
		email: body.email,
		code: body.otp,
		...codeClientOfCall(event, given),
		profile: {
			...consentOfCall(event, body),
			name: body.name ?? NO_NAME,
			image: body.image ?? null
		},
		source: requestSourceOf(event),
		currentToken: ownCookies.get('sessionToken'),
		ifDeleted: body.restore === true ? 'restore' : 'refuse'
	});
	logEnteredCode(event, body.email, verified);
	if (!verified.ok) return verified;

	const { token, user } = verified.value;
	setSessionCookies(event, verified.value, readAt);
	event.setHeaders({ 'set-auth-token': token });
	return ok({ token, user: wireUser(user) });
});
