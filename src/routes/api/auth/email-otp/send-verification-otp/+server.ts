import { sendCode } from '#lib/adapters/web/sign-in/operations.ts';
import { codeRequesterOfCall, purposeOf } from '#lib/adapters/web/sign-in/api-codes.ts';
import { requestSourceOf } from '#lib/adapters/web/edge/client.ts';
import { endpoint } from '#lib/adapters/web/api/endpoint.ts';
import { logOutcome } from '#lib/adapters/web/http/log-event.ts';
import { err, ok } from '#lib/domain/errors.ts';

export const { POST, fallback } = endpoint(sendCode, async (event, given) => {
	const { email, type = 'sign-in' } = given.body;
	const { app, ownCookies } = event.locals;
	const purpose = purposeOf(type);
	if (purpose === null) return err({ code: 'invalid_otp_type' });
	const caller = { ...codeRequesterOfCall(event, given), source: requestSourceOf(event) };
	const requested = await app.requestCode({ email, purpose, ...caller, proof: given.proof });
	logOutcome(event, 'code_requested', email, requested);
	if (!requested.ok) return requested;
	if (caller.codeKey !== null) ownCookies.setCodeKey(caller.codeKey);
	return ok({ success: true });
});
