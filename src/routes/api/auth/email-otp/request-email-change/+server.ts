import { askForChange } from '#lib/adapters/web/email-change.ts';
import { endpointWithBody, onlyMethods } from '#lib/adapters/web/endpoint.ts';
import { jsonOutcome } from '#lib/adapters/web/outcome.ts';
import { newEmailBody } from '#lib/adapters/web/schemas.ts';

export const POST = endpointWithBody(newEmailBody, async (event, { newEmail, otp: proof }) => {
	const asked = { newEmail, way: 'code', callbackUrl: null, proof } as const;
	const requested = await askForChange(event, asked);
	return requested.ok ? Response.json({ success: true }) : jsonOutcome(requested.error);
});

export const fallback = onlyMethods('POST');
