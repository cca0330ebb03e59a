import { fail, redirect, type RequestEvent } from '@sveltejs/kit';
import { describeDevice } from '#lib/device-name.ts';
import { outcomeOf } from '../http/outcome.ts';
import { logEvent } from '../http/log-event.ts';
import { clearSession } from './session-response.ts';

/**
 * Loads the page of a link. Opening it changes nothing, because programs that check links open them
 * too. The page never names the account.
 */
export const loadNewDevice = async (event: RequestEvent) => {
	const found = await event.locals.app.readNewDevice(event.params.token ?? '');
	if (found === null) return { state: 'unknown' as const };
	// A client without a key may have another session, which nothing connects with the ended one.
	const gone = found.hasKey ? ('done' as const) : ('ended' as const);
	if (found.device === null) return { state: gone };
	return {
		state: 'asks' as const,
		name: describeDevice(found.device.userAgent),
		current: found.session !== null && found.session.id === event.locals.session?.id,
		usedAt: found.device.usedAt,
		signedIn: found.session && {
			at: found.session.createdAt,
			ipAddress: found.session.ipAddress
		}
	};
};

/** Posting the form signs the device out. It needs no session: the link alone is the permission. */
export const signOutNewDevice = async (event: RequestEvent) => {
	const { app, session } = event.locals;
	const ended = await app.signOutNewDevice(event.params.token ?? '');
	const outcome = ended.ok ? 'ok' : ended.error.code;
	const sessions = ended.ok ? ended.value.length : 0;
	logEvent(event, 'new_device_signed_out', { outcome, sessions });
	if (!ended.ok) return fail(outcomeOf(ended.error).status);
	if (session !== null && ended.value.includes(session.id)) clearSession(event);
	redirect(303, event.url.pathname);
};
