import { requestEmailChangeByLink } from '#lib/adapters/web/email-change/operations.ts';
import { requestChange } from '#lib/adapters/web/email-change/request.ts';
import { endpoint, onlyMethods } from '#lib/adapters/web/api/endpoint.ts';
import { ok } from '#lib/domain/errors.ts';

export const POST = endpoint(requestEmailChangeByLink, async (event, { body }) => {
	const { newEmail, callbackURL: callbackUrl = null, otp: currentCode } = body;
	const change = { newEmail, way: 'link', callbackUrl, currentCode } as const;
	const requested = await requestChange(event, change);
	return requested.ok ? ok({ status: true }) : requested;
});

export const fallback = onlyMethods(requestEmailChangeByLink);
