import { sendCode } from '#lib/adapters/web/sign-in/operations.ts';
import { codeBrowserOfCall, purposeOf } from '#lib/adapters/web/sign-in/api-codes.ts';
import { networkOf, clientInfoOf } from '#lib/adapters/web/edge/caller.ts';
import { endpoint, onlyMethods } from '#lib/adapters/web/api/endpoint.ts';
import { logOutcome } from '#lib/adapters/web/http/log-event.ts';
import { err, ok } from '#lib/domain/errors.ts';

export const POST = endpoint(sendCode, async (event, { body, user, presentedKey, proof }) => {
	const { email, type = 'sign-in' } = body;
	const { app, authCookies } = event.locals;
	const purpose = purposeOf(type);
	if (purpose === null) return err({ code: 'invalid_otp_type' });
	const browser = codeBrowserOfCall(event, presentedKey);
	const client = clientInfoOf(event);
	const caller = { browser, client, presentedKey, user, network: networkOf(event) };
	const requested = await app.requestCode({ email, purpose, ...caller, proof });
	logOutcome(event, 'code_requested', email, requested);
	if (!requested.ok) return requested;
	if (browser !== null) authCookies.setBrowserKey(browser);
	return ok({ success: true });
});

export const fallback = onlyMethods(sendCode);
