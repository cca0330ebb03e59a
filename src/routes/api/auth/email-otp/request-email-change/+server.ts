import { requestEmailChange } from '#lib/adapters/web/email-change/operations.ts';
import { requestChange } from '#lib/adapters/web/email-change/request.ts';
import { endpoint, onlyMethods } from '#lib/adapters/web/api/endpoint.ts';
import { err, ok } from '#lib/domain/errors.ts';

export const POST = endpoint(requestEmailChange, async (event, { body }) => {
	const { newEmail, otp: currentCode } = body;
	const change = { newEmail, way: 'code', callbackUrl: null, currentCode } as const;
	const requested = await requestChange(event, change);
	if (requested.ok) return ok({ success: true });
	const { error } = requested;
	if (error.code === 'links_off') throw new Error('codes do not need links');
	return err(error);
});

export const fallback = onlyMethods(requestEmailChange);
