import type { RequestEvent } from '@sveltejs/kit';
import type { ProofScope } from '#lib/domain/proof/proofs.ts';
import type { DeviceClaim } from '#lib/domain/secret.ts';

/** What a proof is bound to: the email address, and the same client as a code. */
export const proofScope = (
	{ locals }: Pick<RequestEvent, 'locals'>,
	email: string,
	claim: DeviceClaim | null = null
): ProofScope => {
	if (claim?.kind === 'program') return { email, client: `program ${claim.key}` };
	const browser = locals.authCookies.browserKey();
	return { email, client: browser && `browser ${browser}` };
};
