import type { RequestEvent } from '@sveltejs/kit';
import type { RequestSource, Network } from '#lib/domain/client.ts';
import { err, ok, type Result } from '#lib/domain/errors.ts';
import { parseProgramKey, type CodeKey, type PresentedKey } from '#lib/domain/secret.ts';
import type { ProofScope } from '#lib/domain/proof/ports.ts';
import { PROGRAM_KEY_HEADER } from '../http/request-headers.ts';

export const presentedKeyOfBrowser = ({ locals }: RequestEvent): PresentedKey | null => {
	const key = locals.ownCookies.get('deviceKey');
	return key === null ? null : { kind: 'browser', key };
};

/** The key of an API client: from the header, otherwise from the device cookie. */
export const presentedKeyOfCall = (
	event: RequestEvent
): Result<PresentedKey | null, { readonly code: 'invalid_client_key' }> => {
	const value = event.request.headers.get(PROGRAM_KEY_HEADER);
	if (value === null) return ok(presentedKeyOfBrowser(event));
	const key = parseProgramKey(value);
	return key === null ? err({ code: 'invalid_client_key' }) : ok({ kind: 'program', key });
};

export const networkOf = ({ locals }: RequestEvent): Network =>
	locals.app.hashedNetworkOf(locals.clientAddress);

/**
 * The key to which the codes of a page are bound. Checkout codes are bound to a variant of the code
 * key, so sign-in pages never show their email address.
 */
export const codeKeyOf = ({ locals }: Pick<RequestEvent, 'locals'>): CodeKey | null => {
	const codeKey = locals.ownCookies.get('codeKey');
	return codeKey !== null && locals.rules.hidesEmail ? (`${codeKey} hidden` as CodeKey) : codeKey;
};

/**
 * The browser in which a form requests or enters a code. The right code makes it a known device. It has
 * a code key: a form without one is refused before (`checkFormToken`).
 */
export const codeClientOf = (event: RequestEvent) => ({
	presentedKey: presentedKeyOfBrowser(event),
	user: event.locals.user,
	network: networkOf(event),
	codeKey: codeKeyOf(event),
	keepsCookies: true as const
});

/** What a proof of work is bound to: the email address, and the same client as a code. */
export const proofScopeOf = (
	{ locals }: Pick<RequestEvent, 'locals'>,
	email: string,
	presentedKey: PresentedKey | null = null
): ProofScope => {
	if (presentedKey?.kind === 'program') return { email, client: `program ${presentedKey.key}` };
	const codeKey = locals.ownCookies.get('codeKey');
	return { email, client: codeKey && `browser ${codeKey}` };
};

export const requestSourceOf = ({ request, locals }: RequestEvent): RequestSource => ({
	ipAddress: locals.clientAddress,
	userAgent: request.headers.get('user-agent') ?? ''
});
