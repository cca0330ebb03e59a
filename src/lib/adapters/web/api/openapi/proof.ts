import type { Parameter } from './types.ts';

/** The header with the answer to a puzzle. */
export const proofParameter: Parameter = {
	name: 'X-Postern-Proof',
	in: 'header',
	description:
		'Only where the operator switched `PROOF_OF_WORK` on: the answer to a challenge from CHALLENGE_REQUIRED, the base64 of the JSON `{"challenge":…,"solution":{"counter":…,"derivedKey":"…"}}`, with the challenge as it was received and the derived key in hex. The answer is valid once, for 5 minutes, and only for the same email address and client. If it is wrong or no longer valid, the call gets a new challenge.',
	required: false,
	schema: { type: 'string', maxLength: 2048 }
};
