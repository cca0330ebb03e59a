import { networkOf } from '#lib/adapters/web/edge/caller.ts';
import { verifyEmail } from '#lib/adapters/web/sign-in/operations.ts';
import { endpoint, onlyMethods } from '#lib/adapters/web/api/endpoint.ts';
import { logOutcome } from '#lib/adapters/web/http/log-event.ts';
import { wireUser } from '#lib/adapters/web/sessions/wire.ts';
import { ok } from '#lib/domain/errors.ts';

export const POST = endpoint(
	verifyEmail,
	async (event, { body: { email, otp }, presentedKey, user }) => {
		const { app, authCookies } = event.locals;
		const browser = authCookies.browserKey();
		const client = { browser, presentedKey, user, network: networkOf(event) };
		const verified = await app.verifyEmail({ email, code: otp, ...client });
		logOutcome(event, 'email_verified', email, verified);
		return verified.ok
			? ok({ status: true, token: null, user: wireUser(verified.value) })
			: verified;
	}
);

export const fallback = onlyMethods(verifyEmail);
