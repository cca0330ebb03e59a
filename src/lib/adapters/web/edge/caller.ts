import type { RequestEvent } from '@sveltejs/kit';
import type { Network } from '#lib/domain/client.ts';
import type { Caller } from '#lib/domain/devices/steps.ts';
import { err, ok, type Result } from '#lib/domain/errors.ts';
import { parseClientKey, type BrowserKey, type ClientIdentity } from '#lib/domain/secret.ts';
import type { CodeClient } from '#lib/domain/sign-in/steps.ts';
import type { ProofScope } from '#lib/domain/proof/proofs.ts';
import { CLIENT_KEY_HEADER } from '../http/credential.ts';

/** The key in the device cookie of this browser, or null. */
export const browserIdentity = ({ locals }: RequestEvent): ClientIdentity | null => {
	const key = locals.authCookies.deviceKey();
	return key === null ? null : { kind: 'browser', key };
};

/** The key of an API client: from the header, otherwise from the device cookie. */
export const clientIdentity = (
	event: RequestEvent
): Result<ClientIdentity | null, { readonly code: 'invalid_client_key' }> => {
	const value = event.request.headers.get(CLIENT_KEY_HEADER);
	if (value === null) return ok(browserIdentity(event));
	const key = parseClientKey(value);
	return key === null ? err({ code: 'invalid_client_key' }) : ok({ kind: 'program', key });
};

/** How a page's form is recognised when it requests a code. */
export const formCaller = (event: RequestEvent): Caller => ({
	identity: browserIdentity(event),
	user: event.locals.user
});

export const networkOf = ({ locals }: RequestEvent): Network =>
	locals.app.networkOf(locals.clientAddress);

/**
 * The key to which the codes of a page are bound. A page that hides their email address has a key of
 * its own, which no cookie can contain. Otherwise the sign-in pages of the same browser would show
 * the address to a visitor who has not typed it.
 */
export const codeBrowser = (
	{ locals }: Pick<RequestEvent, 'locals'>,
	browser = locals.authCookies.browserKey()
): BrowserKey | null =>
	browser !== null && locals.rules.hidesEmail ? (`${browser} hidden` as BrowserKey) : browser;

/** The browser in which a form enters a code. It becomes a known device of the account. */
export const formClient = (event: RequestEvent): CodeClient & { readonly keepsCookies: true } => ({
	...formCaller(event),
	network: networkOf(event),
	browser: codeBrowser(event),
	keepsCookies: true
});

/** What a proof is bound to: the email address, and the same client as a code. */
export const proofScope = (
	{ locals }: Pick<RequestEvent, 'locals'>,
	email: string,
	identity: ClientIdentity | null = null
): ProofScope => {
	if (identity?.kind === 'program') return { email, client: `program ${identity.key}` };
	const browser = locals.authCookies.browserKey();
	return { email, client: browser && `browser ${browser}` };
};
