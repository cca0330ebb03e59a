import type { RequestEvent } from '@sveltejs/kit';
import { parseClientKey, type DeviceClaim } from '#lib/domain/devices/device-key.ts';
import type { Caller } from '#lib/domain/devices/recognise.ts';
import type { SendProof } from '#lib/domain/limits/send-proof.ts';
import type { Sender } from '#lib/domain/limits/sender.ts';
import { err, ok, type Result } from '#lib/domain/result.ts';
import type { CodeClient } from '#lib/domain/sign-in/client-binding.ts';

/** The key in the device cookie of this browser, or null. */
export const browserClaim = ({ locals }: RequestEvent): DeviceClaim | null => {
	const key = locals.authCookies.deviceKey();
	return key === null ? null : { kind: 'browser', key };
};

/** The request header in which a program sends the key that it made. */
export const CLIENT_KEY_HEADER = 'x-postern-client';

/** The key of an API client: from the header, otherwise from the device cookie. */
export const clientClaim = (
	event: RequestEvent
): Result<DeviceClaim | null, { readonly code: 'invalid_client_key' }> => {
	const value = event.request.headers.get(CLIENT_KEY_HEADER);
	if (value === null) return ok(browserClaim(event));
	const key = parseClientKey(value);
	return key === null ? err({ code: 'invalid_client_key' }) : ok({ kind: 'program', key });
};

/** How a page's form is recognised when it requests a code. */
export const formCaller = (event: RequestEvent): Caller => ({
	claim: browserClaim(event),
	user: event.locals.user
});

/** The network of a client, with the proof that came with its request. */
export const senderOf = ({ locals }: RequestEvent, sendProof: SendProof | null): Sender => ({
	network: locals.app.networkOf(locals.clientAddress),
	sendProof
});

/** The browser in which a form enters a code. It becomes a known device of the account. */
export const formClient = (
	event: RequestEvent,
	sendProof: SendProof | null = null
): CodeClient & { readonly keepsCookies: true } => ({
	sender: senderOf(event, sendProof),
	browser: event.locals.authCookies.browserKey(),
	claim: browserClaim(event),
	keepsCookies: true
});
