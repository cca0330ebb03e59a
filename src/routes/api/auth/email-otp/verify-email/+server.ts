import { codeClientOfCall } from '#lib/adapters/web/sign-in/api-codes.ts';
import { verifyEmail } from '#lib/adapters/web/sign-in/operations.ts';
import { endpoint } from '#lib/adapters/web/api/endpoint.ts';
import { logOutcome } from '#lib/adapters/web/http/log-event.ts';
import { wireUser } from '#lib/adapters/web/api/user.ts';
import { ok } from '#lib/domain/errors.ts';

export const { POST, fallback } = endpoint(verifyEmail, async (event, given) => {
	const { email, otp } = given.body;
	const client = codeClientOfCall(event, given);
	const verified = await event.locals.app.verifyEmail({ email, code: otp, ...client });
	logOutcome(event, 'email_verified', email, verified);
	return verified.ok ? ok({ status: true, token: null, user: wireUser(verified.value) }) : verified;
});
