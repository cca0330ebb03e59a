import { changeEmailByCode } from '#lib/adapters/web/email-change/operations.ts';
import { networkOf } from '#lib/adapters/web/edge/client.ts';
import { confirmer } from '#lib/adapters/web/email-change/request.ts';
import { endpoint } from '#lib/adapters/web/api/endpoint.ts';
import { logOutcome } from '#lib/adapters/web/http/log-event.ts';
import { showChangedUser } from '#lib/adapters/web/sessions/session-response.ts';
import { ok } from '#lib/domain/errors.ts';

export const { POST, fallback } = endpoint(
	changeEmailByCode,
	async (event, { body: { newEmail, otp } }) => {
		const { app } = event.locals;
		const input = { ...confirmer(event), network: networkOf(event), newEmail, code: otp };
		const changed = await app.changeEmailByCode(input);
		logOutcome(event, 'email_change_confirmed', newEmail, changed);
		if (!changed.ok) return changed;
		showChangedUser(event, changed.value.user);
		return ok({ success: true });
	}
);
