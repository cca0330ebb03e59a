import { requestEmailChangeByLink } from '#lib/adapters/web/email-change/operations.ts';
import { requestChange } from '#lib/adapters/web/email-change/request.ts';
import { endpoint } from '#lib/adapters/web/api/endpoint.ts';
import { ok } from '#lib/domain/errors.ts';

export const { POST, fallback } = endpoint(requestEmailChangeByLink, async (event, { body }) => {
	const { newEmail, callbackURL, otp } = body;
	const requested = await requestChange(event, newEmail, otp ?? null, (request) =>
		event.locals.app.requestEmailChangeByLink(request, callbackURL ?? null)
	);
	return requested.ok ? ok({ status: true }) : requested;
});
