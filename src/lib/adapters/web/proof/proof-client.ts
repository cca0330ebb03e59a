import type { RequestEvent } from '@sveltejs/kit';
import type { DeviceClaim } from '#lib/domain/devices/device-key.ts';
import type { ProofScope } from '#lib/domain/proof/proof-scope.ts';

/** What a proof is bound to besides its purpose: the same as a code. */
export const proofScope = (
	{ locals }: Pick<RequestEvent, 'locals'>,
	purpose: ProofScope['purpose'],
	email: string,
	claim: DeviceClaim | null = null
): ProofScope => {
	if (claim?.kind === 'program') return { purpose, email, client: `program ${claim.key}` };
	const browser = locals.authCookies.browserKey();
	return { purpose, email, client: browser && `browser ${browser}` };
};
