import type { ProofDemand } from '#lib/view/proof.ts';
import type { Answer, ApiCall, Visitor } from '../web/visitor.ts';
import { challengeOf, solve } from './solve.ts';

/** The proof that a form asks for. Null if it asks for none. */
export const demandOf = ({ form }: Pick<Answer, 'form'>): ProofDemand | null => {
	const { message } = (form as { form?: { message?: unknown } } | null)?.form ?? {};
	return typeof message === 'object' && message !== null ? (message as ProofDemand) : null;
};

/**
 * The same visitor, with a client that solves the challenge of a refusal and tries once more, as
 * the pages and the documented clients do.
 */
export const solving = (visitor: Visitor): Visitor => {
	const again =
		(send: Visitor['api']): Visitor['api'] =>
		async (path, call: ApiCall = {}) => {
			const answer = await send(path, call);
			const challenge = challengeOf(answer);
			if (challenge === null) return answer;
			const headers = { ...call.headers, 'x-postern-proof': await solve(challenge) };
			return send(path, { ...call, headers });
		};
	return {
		...visitor,
		api: again(visitor.api),
		call: again(visitor.call),
		post: async (path, fields = {}, headers = {}) => {
			const answer = await visitor.post(path, fields, headers);
			const puzzle = answer.status === 403 ? (demandOf(answer)?.puzzle ?? null) : null;
			if (puzzle === null) return answer;
			return visitor.post(path, { ...fields, proof: await solve(puzzle) }, headers);
		}
	};
};
