import { type NewAccount } from '#lib/domain/account/ports.ts';
import { newAccount } from '#lib/domain/account/use-cases.ts';
import type { ConsentOccasion } from '#lib/domain/consent/ports.ts';
import type { Email } from '#lib/domain/email.ts';
import type {
	ChallengeId,
	ConsentRecordId,
	Ids,
	SessionId,
	UndoId,
	UserId
} from '#lib/domain/ids.ts';
import { defaultPolicy } from '#lib/domain/policy.ts';
import type { SecretHash } from '#lib/domain/secret.ts';
import { newSession } from '#lib/domain/sessions/session.ts';
import type {
	Challenge,
	CodeAttempt,
	SessionlessChallenge,
	Redeemed,
	Redemption,
	SignIns
} from '#lib/domain/sign-in/ports.ts';
import { secondsAfter } from '#lib/domain/time.ts';
import { aName } from '../../support/domain/builders.ts';

export const policy = defaultPolicy;
/** Rounds of a race: few by default, many with POSTERN_FULL=1. */
export const rounds = (few: number, many: number): number =>
	process.env.POSTERN_FULL === '1' ? many : few;

const start = new Date('2026-03-01T12:00:00.000Z');
/** The instant so many seconds after the start of the test. */
export const at = (seconds: number): Date => secondsAfter(start, seconds);

let made = 0;
const next = (): string => `01955000-0000-7000-8000-${(made += 1).toString().padStart(12, '0')}`;
export const newIds: Ids = { next };
export const newUserId = (): UserId => next() as UserId;
export const newRecordId = (): ConsentRecordId => next() as ConsentRecordId;
export const newSessionId = (): SessionId => next() as SessionId;
export const newChallengeId = (): ChallengeId => next() as ChallengeId;
export const newUndoId = (): UndoId => next() as UndoId;
export const aHash = (of = `secret-${(made += 1)}`): SecretHash => `hash-of-${of}` as SecretHash;
export const anEmail = (name = `person-${(made += 1)}`): Email => `${name}@example.com` as Email;

export const ada = anEmail('ada');
export const bob = anEmail('bob');
export const adasPhone = aHash('adas-phone');
export const adasLaptop = aHash('adas-laptop');

/** A fresh code for Ada, bound to her address alone, issued at the start. */
export const aChallenge = (but: Partial<SessionlessChallenge> = {}): SessionlessChallenge => ({
	id: newChallengeId(),
	purpose: 'sign_in',
	email: ada,
	boundTo: null,
	requestedBy: null,
	secretHash: `code-hash-${(made += 1)}`,
	attemptsUsed: 0,
	expiresAt: at(policy.code.lifetime),
	createdAt: at(0),
	bouncedAt: null,
	...but
});

export const anAttempt = (but: Partial<CodeAttempt> = {}): CodeAttempt => ({
	purpose: 'sign_in',
	email: ada,
	boundTo: null,
	...but
});

type Rules = Pick<Redemption, 'sessionsPerAccount' | 'ifDeleted' | 'device' | 'newDeviceMails'>;

export interface RedemptionOf extends Partial<Rules> {
	readonly tokenHash?: SecretHash;
	/** The session of this browser, which the sign-in replaces. */
	readonly replaces?: SecretHash;
	readonly now?: Date;
	/** Of a new account. */
	readonly name?: string;
	/** Where the owner of a new account agreed to marketing. */
	readonly marketing?: ConsentOccasion | null;
	readonly sessionId?: SessionId;
}

/** Consumes a challenge, as its own use-case would. */
export const aRedemption = (
	of: Pick<Challenge, 'id' | 'email'>,
	{
		now = at(1),
		name = 'Ada',
		marketing = null,
		tokenHash = aHash(),
		sessionId = newSessionId(),
		replaces,
		...rules
	}: RedemptionOf = {}
): Redemption & { readonly account: NewAccount } => {
	const source = { ipAddress: '192.0.2.1', userAgent: 'a browser' };
	return {
		challengeId: of.id,
		email: of.email,
		account: newAccount(newIds, of.email, { name: aName(name), image: null, marketing }, now),
		session: newSession(sessionId, tokenHash, source, now, policy),
		sessionsPerAccount: policy.session.perAccount,
		replaces: replaces === undefined ? [] : [replaces],
		device: null,
		newDeviceMails: [],
		ifDeleted: { then: 'refuse' },
		...rules
	};
};

/** The result of a redemption, for cases about something else. */
export const signedIn = (redeemed: Awaited<ReturnType<SignIns['redeem']>>): Redeemed => {
	if (redeemed?.kind !== 'signed_in') throw new Error('the code was not redeemed');
	return redeemed;
};

/**
 * For races of naive stores. A twin proves that it can go wrong; how soon depends on the load of the
 * machine.
 */
export const CAN_GO_WRONG = { retry: 9 };
