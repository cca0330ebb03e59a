import type { Puzzles } from '#lib/domain/proof/puzzles.ts';
import type { Signer } from '#lib/domain/signer.ts';
import { altchaPuzzles } from './altcha-puzzles.ts';
import { hmacSigner } from './hmac-signer.ts';
import type { KeyPurpose, KeyRing } from './keys.ts';

/** The ports of proofs of work and waiting, with keys of their own. */
export const proofCrypto = (
	keys: (purpose: KeyPurpose) => KeyRing
): { readonly puzzles: Puzzles; readonly signer: Signer } => ({
	puzzles: altchaPuzzles(keys('proof-puzzle'), keys('proof-solution')),
	signer: hmacSigner(keys('proof'))
});
