import type { Email } from '../email.ts';
import type { ErrorOf } from '../errors.ts';
import type { AuthPolicy } from '../policy.ts';
import type { Clock } from '../clock.ts';
import { recognise, type RecogniseDeps } from '../devices/recognise.ts';
import type { CodeClient } from '../sign-in/client-binding.ts';
import type { CodeError } from '../sign-in/compare-code.ts';
import { err, ok, type Result } from '../result.ts';
import type { GuessWatch } from './guess-watch.ts';
import { checkTicketsOf, nextMinute } from './check-tickets.ts';
import type { SpentProofs } from './spent-proofs.ts';
import { wholeSecondsUntil } from '../time.ts';

export interface CheckWithProofDeps extends RecogniseDeps {
	readonly guessWatch: GuessWatch;
	readonly spentProofs: SpentProofs;
	readonly clock: Clock;
	readonly policy: AuthPolicy;
}

/**
 * Compares a code. An unknown client must first prove work while there are many wrong guesses over
 * all email addresses. A refused check costs no attempt. The answer does not depend on accounts: each
 * email address gets the same lookup, and only its own known devices are spared.
 */
export const checkWithProof = async <T>(
	deps: CheckWithProofDeps,
	client: CodeClient,
	email: Email,
	compare: () => Promise<Result<T, CodeError>>
): Promise<Result<T, CodeError | ErrorOf<'challenge_required'>>> => {
	const { level, release } = await deps.guessWatch.admit();
	const proven = level === null ? ok(null) : await prove(deps, client, email, level);
	if (!proven.ok) return proven;
	const compared = await compare();
	if (compared.ok || !isWrongGuess(compared.error)) release();
	return compared;
};

/** Whether a code was compared. Other errors mean that there was no live code, or none was typed. */
const isWrongGuess = (error: CodeError): boolean =>
	error.code === 'invalid_code' && error.attemptsLeft !== null;

const prove = async (
	deps: CheckWithProofDeps,
	{ claim = null, sender }: CodeClient,
	email: Email,
	level: number
): Promise<Result<null, ErrorOf<'challenge_required'>>> => {
	if ((await recognise(deps, { claim }, email)) !== null) return ok(null);
	const { guessWatch, spentProofs, clock, policy } = deps;
	const { network, sendProof } = sender;
	const now = clock.now();
	const isEnough =
		sendProof !== null &&
		(sendProof.kind === 'ticket' || sendProof.level >= level) &&
		(await spentProofs.spend(sendProof, network, now, policy));
	if (isEnough) return ok(null);
	guessWatch.refused();
	const areUsedUp = (await spentProofs.ticketsSpent(now)) >= checkTicketsOf(policy);
	const ticketAfter = areUsedUp ? wholeSecondsUntil(nextMinute(now), now) : 0;
	return err({ code: 'challenge_required', level, ticketAfter });
};
