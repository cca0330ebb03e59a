import { confirmer, moved } from '#lib/adapters/web/email-change.ts';
import { endpointWithBody, onlyMethods } from '#lib/adapters/web/endpoint.ts';
import { jsonOutcome } from '#lib/adapters/web/outcome.ts';
import { recordOutcome } from '#lib/adapters/web/record.ts';
import { changeByCodeBody } from '#lib/adapters/web/schemas.ts';

export const POST = endpointWithBody(changeByCodeBody, async (event, { newEmail, otp }) => {
	const { app } = event.locals;
	const changed = await app.changeEmail({ ...confirmer(event), newEmail, code: otp });
	recordOutcome(event, 'email_change_confirmed', newEmail, changed);
	if (!changed.ok) return jsonOutcome(changed.error);
	moved(event, changed.value);
	return Response.json({ success: true });
});

export const fallback = onlyMethods('POST');
