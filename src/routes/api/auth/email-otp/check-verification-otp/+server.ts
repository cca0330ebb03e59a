import { checkCode } from '#lib/adapters/web/sign-in/operations.ts';
import { endpoint } from '#lib/adapters/web/api/endpoint.ts';
import { codeClientOfCall, purposeOf } from '#lib/adapters/web/sign-in/api-codes.ts';
import { logOutcome } from '#lib/adapters/web/http/log-event.ts';
import { err, ok } from '#lib/domain/errors.ts';

export const { POST, fallback } = endpoint(checkCode, async (event, given) => {
	const { email, type, otp } = given.body;
	const purpose = purposeOf(type);
	if (purpose === null) return err({ code: 'invalid_otp_type' });
	const client = codeClientOfCall(event, given);
	const checked = await event.locals.app.checkCode({ email, purpose, code: otp, ...client });
	logOutcome(event, 'code_checked', email, checked);
	return checked.ok ? ok({ success: true }) : checked;
});
