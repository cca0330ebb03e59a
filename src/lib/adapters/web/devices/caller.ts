import type { RequestEvent } from '@sveltejs/kit';
import type { DeviceClaim } from '#lib/domain/devices/device-key.ts';
import type { Caller } from '#lib/domain/devices/recognise.ts';
import type { CodeClient } from '#lib/domain/sign-in/client-binding.ts';

/** The key in the device cookie of this browser, or null. */
export const browserClaim = ({ locals }: RequestEvent): DeviceClaim | null => {
	const key = locals.authCookies.deviceKey();
	return key === null ? null : { kind: 'browser', key };
};

/** How a page's form is recognised when it requests a code. */
export const formCaller = (event: RequestEvent): Caller => ({
	claim: browserClaim(event),
	user: event.locals.user
});

/** The browser in which a form enters a code. It becomes a known device of the account. */
export const formClient = (event: RequestEvent): CodeClient & { readonly keepsCookies: true } => ({
	browser: event.locals.authCookies.browserKey(),
	claim: browserClaim(event),
	keepsCookies: true
});
