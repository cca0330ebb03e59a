import type { RequestEvent } from '@sveltejs/kit';
import type { ClientInfo, Network } from '#lib/domain/client.ts';
import { err, ok, type Result } from '#lib/domain/errors.ts';
import { parseProgramKey, type BrowserKey, type PresentedKey } from '#lib/domain/secret.ts';
import type { CodeClient } from '#lib/domain/sign-in/steps.ts';
import type { ProofScope } from '#lib/domain/proof/proofs.ts';
import { CLIENT_KEY_HEADER } from '../http/request-headers.ts';

/** The key in the device cookie of this browser, or null. */
export const presentedKeyOfBrowser = ({ locals }: RequestEvent): PresentedKey | null => {
	const key = locals.authCookies.deviceKey();
	return key === null ? null : { kind: 'browser', key };
};

/** The key of an API client: from the header, otherwise from the device cookie. */
export const presentedKeyOfCall = (
	event: RequestEvent
): Result<PresentedKey | null, { readonly code: 'invalid_client_key' }> => {
	const value = event.request.headers.get(CLIENT_KEY_HEADER);
	if (value === null) return ok(presentedKeyOfBrowser(event));
	const key = parseProgramKey(value);
	return key === null ? err({ code: 'invalid_client_key' }) : ok({ kind: 'program', key });
};

export const networkOf = ({ locals }: RequestEvent): Network =>
	locals.app.networkOf(locals.clientAddress);

/**
 * The key to which the codes of a page are bound. A page that hides their email address has a key of
 * its own, which no cookie can contain. Otherwise the sign-in pages of the same browser would show
 * the address to a visitor who has not typed it.
 */
export const codeBrowserOf = (
	{ locals }: Pick<RequestEvent, 'locals'>,
	browser = locals.authCookies.browserKey()
): BrowserKey | null =>
	browser !== null && locals.rules.hidesEmail ? (`${browser} hidden` as BrowserKey) : browser;

/**
 * The browser in which a form requests or enters a code. The right code makes it a known device.
 */
export const codeClientOf = (
	event: RequestEvent,
	browserKey?: BrowserKey
): CodeClient & { readonly keepsCookies: true } => ({
	presentedKey: presentedKeyOfBrowser(event),
	user: event.locals.user,
	network: networkOf(event),
	browser: codeBrowserOf(event, browserKey),
	keepsCookies: true
});

/** What a proof is bound to: the email address, and the same client as a code. */
export const proofScopeOf = (
	{ locals }: Pick<RequestEvent, 'locals'>,
	email: string,
	presentedKey: PresentedKey | null = null
): ProofScope => {
	if (presentedKey?.kind === 'program') return { email, client: `program ${presentedKey.key}` };
	const browser = locals.authCookies.browserKey();
	return { email, client: browser && `browser ${browser}` };
};

/** The device that sent a request, as the connection reports it. */
export const clientInfoOf = ({ request, locals }: RequestEvent): ClientInfo => ({
	ipAddress: locals.clientAddress,
	userAgent: request.headers.get('user-agent') ?? ''
});
