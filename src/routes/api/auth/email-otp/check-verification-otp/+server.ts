import { networkOf } from '#lib/adapters/web/edge/caller.ts';
import { checkCode } from '#lib/adapters/web/sign-in/operations.ts';
import { endpoint, onlyMethods } from '#lib/adapters/web/api/endpoint.ts';
import { purposeOf } from '#lib/adapters/web/sign-in/api-codes.ts';
import { logOutcome } from '#lib/adapters/web/http/log-event.ts';
import { err, ok } from '#lib/domain/errors.ts';

export const POST = endpoint(
	checkCode,
	async (event, { body: { email, type, otp }, presentedKey, user }) => {
		const { app, authCookies } = event.locals;
		const purpose = purposeOf(type);
		if (purpose === null) return err({ code: 'invalid_otp_type' });
		const browser = authCookies.browserKey();
		const client = { browser, presentedKey, user, network: networkOf(event) };
		const checked = await app.checkCode({ email, purpose, code: otp, ...client });
		logOutcome(event, 'code_checked', email, checked);
		return checked.ok ? ok({ success: true }) : checked;
	}
);

export const fallback = onlyMethods(checkCode);
