import type { UseCaseDeps } from '../deps.ts';
import type { ChallengeId, MailId } from '../ids.ts';
import type { RequestedCodeMail } from '../mail.ts';
import type { AuthPolicy } from '../policy.ts';
import type { SecretHash, SecretHasher } from '../secret.ts';
import { secondsAfter } from '../time.ts';
import { generateCode } from './code.ts';
import type { BoundCode, Challenge, ChallengeState, CodeClient } from './ports.ts';

/** A new challenge, for a send that is already counted. */
export const newChallenge = <Requester>(
	challenge: Omit<Challenge<Requester>, 'attemptsUsed' | 'expiresAt' | 'createdAt' | 'bouncedAt'>,
	{ requestedAt, attemptsUsed }: { readonly requestedAt: Date; readonly attemptsUsed: number },
	expiresAt: Date
): Challenge<Requester> => ({
	...challenge,
	attemptsUsed,
	expiresAt,
	createdAt: requestedAt,
	bouncedAt: null
});

interface NewCode<Requester> {
	/** The mail id equals the challenge id, so a bounce report finds the challenge. */
	readonly id: MailId;
	readonly mail: Pick<RequestedCodeMail, 'to' | 'code' | 'lifetime' | 'at'>;
	/** Its lifetime begins when the email was sent. */
	readonly challengeFrom: (now: Date) => Challenge<Requester>;
}

/** A new code, what its email says, and its challenge. */
export const newCode = async <Requester>(
	deps: UseCaseDeps,
	{ requestedBy, ...bound }: Omit<BoundCode, 'code'> & { readonly requestedBy: Requester },
	counted: Parameters<typeof newChallenge>[1]
): Promise<NewCode<Requester>> => {
	const { purpose, email, boundTo } = bound;
	const { lifetime } = deps.policy.code;
	const id = deps.ids.next();
	const code = generateCode(deps.random);
	const secretHash = await deps.codeHasher.hash({ ...bound, code });
	const challenge = { id: id as ChallengeId, purpose, email, boundTo, requestedBy, secretHash };
	return {
		id: id as MailId,
		mail: { to: email, code, lifetime, at: counted.requestedAt },
		challengeFrom: (now: Date) => newChallenge(challenge, counted, secondsAfter(now, lifetime))
	};
};

/**
 * The state of a challenge for an attempt that is already counted in `attemptsUsed`. There is no
 * state for a used challenge, because using it removes it.
 */
export const challengeState = (
	challenge: Challenge,
	now: Date,
	policy: AuthPolicy
): ChallengeState => {
	if (challenge.expiresAt <= now) return 'expired';
	return challenge.attemptsUsed > policy.code.attempts ? 'exhausted' : 'open';
};

/** How many further attempts are compared. */
export const attemptsLeft = (challenge: Challenge, policy: AuthPolicy): number =>
	Math.max(0, policy.code.attempts - challenge.attemptsUsed);

/**
 * What a code is bound to, so that only its own client can try it. A program's key comes first. Null
 * when the client has neither key: its code is bound to the email address alone.
 */
export const clientBinding = (
	hasher: Pick<SecretHasher, 'ofCodeKey' | 'ofProgramKey'>,
	{ codeKey, presentedKey = null }: Pick<CodeClient, 'codeKey' | 'presentedKey'>
): SecretHash | null => {
	if (presentedKey?.kind === 'program') return hasher.ofProgramKey(presentedKey.key);
	return codeKey && hasher.ofCodeKey(codeKey);
};
