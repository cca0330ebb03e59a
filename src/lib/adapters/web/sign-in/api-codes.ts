import type { RequestEvent } from '@sveltejs/kit';
import type { ClientEvidence } from '#lib/domain/sessions/ports.ts';
import { newCodeKey } from '#lib/domain/secret.ts';
import type { CodeClient } from '#lib/domain/sign-in/ports.ts';
import { networkOf } from '../edge/client.ts';

type CallClient = CodeClient & { readonly keepsCookies: boolean };

export const codeClientOfCall = (
	event: RequestEvent,
	{ presentedKey, user }: Required<ClientEvidence>
): CallClient => ({
	presentedKey,
	user,
	network: networkOf(event),
	codeKey: event.locals.ownCookies.get('codeKey'),
	// Pages of this site keep cookies. Apps and other sites keep none.
	keepsCookies: event.request.headers.get('sec-fetch-site') === 'same-origin'
});

/**
 * The client of a call that requests a code. Its `codeKey` is null if it keeps no cookies, and for a
 * program, whose code is bound to its own key.
 */
export const codeRequesterOfCall = (
	event: RequestEvent,
	given: Required<ClientEvidence>
): CallClient => {
	const client = codeClientOfCall(event, given);
	const isBrowser = client.keepsCookies && given.presentedKey?.kind !== 'program';
	const codeKey = client.codeKey ?? newCodeKey(event.locals.app.random);
	return { ...client, codeKey: isBrowser ? codeKey : null };
};

/** Maps the `type` of the API to a purpose. Null for an unknown type. */
export const purposeOf = (type: string): 'sign_in' | 'email_verification' | null => {
	if (type === 'sign-in') return 'sign_in';
	return type === 'email-verification' ? 'email_verification' : null;
};
