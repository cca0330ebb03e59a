import { requestEmailChange } from '#lib/adapters/web/email-change/operations.ts';
import { requestChange } from '#lib/adapters/web/email-change/request.ts';
import { endpoint } from '#lib/adapters/web/api/endpoint.ts';
import { ok } from '#lib/domain/errors.ts';

export const { POST, fallback } = endpoint(requestEmailChange, async (event, { body }) => {
	const requested = await requestChange(event, body.newEmail, body.otp);
	return requested.ok ? ok({ success: true }) : requested;
});
