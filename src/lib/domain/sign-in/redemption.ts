import type { Account } from '../account/ports.ts';
import type { DeviceId, UserId } from '../ids.ts';
import type { Session } from '../sessions/ports.ts';
import type {
	Challenge,
	FoundReserved,
	IfDeleted,
	Redeemed,
	RedeemResult,
	SessionlessChallenge
} from './ports.ts';

/** What a right code does while its account is locked: sign in, or what `result` says. */
type Decision<Found> =
	| { readonly signsInTo: Found }
	| {
			readonly signsInTo: null;
			readonly result: Exclude<RedeemResult, Redeemed>;
			/** A right code without effect costs no attempt. Otherwise the challenge is consumed. */
			readonly givesAttemptBack: boolean;
			/** Replaces earlier grants. */
			readonly grant: SessionlessChallenge | null;
	  };

/** `found` is null when the email address has no account, and none may be created. */
export const decideRedemption = <Found extends Pick<Account, 'deletedAt' | 'blockedAt'>>(
	{ purpose }: Pick<Challenge, 'purpose'>,
	found: Found | FoundReserved | null,
	ifDeleted: IfDeleted
): Decision<Found> => {
	const refused = { signsInTo: null, givesAttemptBack: true, grant: null } as const;
	if (found === null) return { ...refused, result: null, givesAttemptBack: false };
	if ('undo' in found) return { ...refused, result: found };
	const { deletedAt, blockedAt } = found;
	// Once the account is active again, a restore grant must not sign anyone in.
	if (deletedAt === null && purpose === 'account_restore')
		return { ...refused, result: null, givesAttemptBack: false };
	if (deletedAt !== null && ifDeleted.then !== 'restore') {
		const result = { kind: 'deleted', deletedAt } as const;
		if (ifDeleted.then === 'refuse') return { ...refused, result };
		return { ...refused, result, givesAttemptBack: false, grant: ifDeleted.grant };
	}
	if (blockedAt !== null) return { ...refused, result: { kind: 'blocked' } };
	return { signsInTo: found };
};

export interface ReplacedSession extends Pick<Session, 'id' | 'userId' | 'expiresAt'> {
	readonly deviceId: DeviceId | null;
}

/**
 * The device of the session that this sign-in replaces, if that session is live and of the same
 * account. So a client that lost its key keeps its device.
 */
export const continuedDevice = (
	replaced: ReplacedSession | undefined,
	userId: UserId,
	now: Date
): DeviceId | null =>
	replaced?.userId === userId && replaced.expiresAt > now ? replaced.deviceId : null;
