import type { Deps } from '../deps.ts';
import { parseEmail } from '../email.ts';
import { err, ok } from '../errors.ts';
import type { Signer } from '../ports.ts';
import { secondsAfter } from '../time.ts';
import type { ProofPuzzles, Proofs, ProofScope } from './ports.ts';

export interface ProofsDeps extends Deps<'clock' | 'domainNames' | 'policy'> {
	readonly puzzles: ProofPuzzles;
	readonly signer: Signer;
}

export const makeProofs = (deps: ProofsDeps): Proofs => {
	const { puzzles, signer, clock } = deps;
	const { lifetime } = deps.policy.proof;
	const bindingText = ({ email: typed, client }: ProofScope): string => {
		const parsed = parseEmail(typed, deps.domainNames);
		return JSON.stringify(['proof', parsed.ok ? parsed.value : typed, client]);
	};
	/** Also false if the puzzle expires too late to be ours, as after the clock was set back. */
	const isCurrent = (expiresAt: Date): boolean => {
		const left = expiresAt.getTime() - clock.now().getTime();
		return left > 0 && left <= lifetime * 1000;
	};

	return {
		puzzle: (scope) =>
			puzzles.make({
				binding: signer.sign(bindingText(scope)),
				expiresAt: secondsAfter(clock.now(), lifetime)
			}),

		readAnswer: async (scope, text) => {
			const answer = puzzles.parse(text);
			if (answer === null) return err({ code: 'invalid_proof' });
			const { id, terms } = answer;
			// The cheap checks first. They suffice to refuse an answer that was made up.
			if (!isCurrent(terms.expiresAt)) return ok(null);
			if (!signer.verify(terms.binding, bindingText(scope))) return ok(null);
			return ok((await answer.verify()) ? { id, expiresAt: terms.expiresAt } : null);
		}
	};
};
