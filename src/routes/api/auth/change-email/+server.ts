import { requestEmailChangeByLink } from '#lib/adapters/web/email-change/operations.ts';
import { requestChangeByLink } from '#lib/adapters/web/email-change/request.ts';
import { endpoint } from '#lib/adapters/web/api/endpoint.ts';
import { ok } from '#lib/domain/errors.ts';

export const { POST, fallback } = endpoint(requestEmailChangeByLink, async (event, { body }) => {
	const { newEmail, callbackURL, otp } = body;
	const requested = await requestChangeByLink(event, newEmail, otp, callbackURL);
	return requested.ok ? ok({ status: true }) : requested;
});
