import { askForChange } from '#lib/adapters/web/email-change.ts';
import { endpointWithBody, onlyMethods } from '#lib/adapters/web/endpoint.ts';
import { jsonOutcome } from '#lib/adapters/web/outcome.ts';
import { changeByLinkBody } from '#lib/adapters/web/schemas.ts';

export const POST = endpointWithBody(changeByLinkBody, async (event, body) => {
	const { newEmail, callbackURL: callbackUrl = null, otp: proof } = body;
	const requested = await askForChange(event, { newEmail, way: 'link', callbackUrl, proof });
	return requested.ok ? Response.json({ status: true }) : jsonOutcome(requested.error);
});

export const fallback = onlyMethods('POST');
