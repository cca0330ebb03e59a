import { endpointWithBody, onlyMethods } from '#lib/adapters/web/endpoint.ts';
import { invalidOtpType, purposeOf } from '#lib/adapters/web/otp-type.ts';
import { jsonOutcome } from '#lib/adapters/web/outcome.ts';
import { recordOutcome } from '#lib/adapters/web/record.ts';
import { checkCodeBody } from '#lib/adapters/web/schemas.ts';

export const POST = endpointWithBody(checkCodeBody, async (event, { email, type, otp }) => {
	const { app, authCookies } = event.locals;
	const purpose = purposeOf(type);
	if (purpose === null) return invalidOtpType();
	const browser = authCookies.browserKey();
	const checked = await app.checkCode({ email, purpose, code: otp, browser });
	recordOutcome(event, 'code_checked', email, checked);
	return checked.ok ? Response.json({ success: true }) : jsonOutcome(checked.error);
});

export const fallback = onlyMethods('POST');
