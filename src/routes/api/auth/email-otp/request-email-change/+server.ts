import { requestEmailChange } from '#lib/adapters/web/email-change/operations.ts';
import { requestChange } from '#lib/adapters/web/email-change/request.ts';
import { endpoint } from '#lib/adapters/web/api/endpoint.ts';
import { ok } from '#lib/domain/errors.ts';

export const { POST, fallback } = endpoint(requestEmailChange, async (event, { body }) => {
	const { app } = event.locals;
	const { newEmail, otp } = body;
	const requested = await requestChange(event, newEmail, otp ?? null, app.requestEmailChange);
	return requested.ok ? ok({ success: true }) : requested;
});
