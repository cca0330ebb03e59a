import type { RequestEvent } from '@sveltejs/kit';
import { err, ok, type Result } from '#lib/domain/errors.ts';
import type { SendProof } from '#lib/domain/proof/ports.ts';
import type { ProofScope } from '#lib/domain/proof/proofs.ts';
import type { DeviceClaim } from '#lib/domain/secret.ts';
import { apiError } from '../http/http-errors.ts';
import { outcomeOf } from '../http/outcome.ts';
import { proofScope } from '../edge/proof-scope.ts';

/** The request header with the answer to a puzzle. */
export const PROOF_HEADER = 'x-postern-proof';

export const apiScope = (
	event: RequestEvent,
	body: unknown,
	claim: DeviceClaim | null
): ProofScope => proofScope(event, String((body as { readonly email: unknown }).email), claim);

/**
 * The proof in the header. Null without one, and for one that is wrong, expired or for something
 * else: the call then gets a new puzzle if it needs one.
 */
export const headerProof = async (
	{ locals, request }: RequestEvent,
	scope: ProofScope
): Promise<Result<SendProof | null, { readonly code: 'invalid_proof' }>> => {
	const text = request.headers.get(PROOF_HEADER);
	if (text === null) return ok(null);
	const proof = await locals.app.proofs.readAnswer(scope, text);
	return proof === undefined ? err({ code: 'invalid_proof' }) : ok(proof);
};

/** The refusal of a call that needs a proof. Contains the puzzle, which the wire calls a challenge. */
export const puzzleResponse = async (
	{ locals }: RequestEvent,
	scope: ProofScope
): Promise<Response> => {
	const { status, code, message } = outcomeOf({ code: 'puzzle_required' });
	const puzzle = await locals.app.proofs.puzzle(scope);
	return apiError(status, code, message, null, { challenge: puzzle });
};
