import type { Accounts } from '../account/ports.ts';
import type { EmailChanged } from '../email-change/ports.ts';
import { parseEmail, type Email } from '../email.ts';
import { err, ok, type ErrorOf, type Result } from '../errors.ts';
import type { ChallengeId, EmailId, Ids, UndoId, UserId } from '../ids.ts';
import type { Mailer } from '../mail.ts';
import type { Outbox, OutboxRow } from '../outbox.ts';
import type { DomainNames, Random, Signer } from '../ports.ts';
import { generateCode, parseCode } from '../sign-in/code.ts';
import {
	compareCode,
	newChallenge,
	type CodeError,
	type CompareCodeDeps
} from '../sign-in/steps.ts';
import { undoToken, type UndoToken } from '../signed-links.ts';
import { secondsAfter, type Clock } from '../time.ts';
import type { ManagedAccount, Operators } from './ports.ts';

interface ChangeDeps extends CompareCodeDeps {
	readonly operators: Operators;
	readonly accounts: Accounts;
	readonly mailer: Mailer;
	readonly outbox: Outbox;
	readonly domainNames: DomainNames;
	readonly undoSigner: Signer;
	readonly random: Random;
	readonly ids: Ids;
	readonly clock: Clock;
}

/** An email change whose code was sent to the new address. */
export interface RequestedChange {
	readonly userId: UserId;
	readonly from: Email;
	readonly to: Email;
}

type Taken = ErrorOf<'email_taken'>;
type RequestError =
	ErrorOf<'account_deleted' | 'invalid_email' | 'same_email' | 'delivery_failed'> | Taken;

/**
 * How an operator moves an account to another email address, for a person who cannot read the old
 * one. The person reads the code from the new one to the operator.
 */
interface OperatorEmailChange {
	/** Sends the code. Nothing changes yet. */
	request(
		account: ManagedAccount,
		newEmail: string
	): Promise<Result<RequestedChange, RequestError>>;
	/**
	 * Tells both addresses. The old one can undo the change. `expired_code` means that no code can
	 * succeed any more.
	 */
	confirm(
		change: RequestedChange,
		code: string,
		reason: string
	): Promise<Result<EmailChanged, CodeError | Taken>>;
}

const taken = err<Taken>({ code: 'email_taken' });
const noLongerThere = err<ErrorOf<'expired_code'>>({ code: 'expired_code' });

export const makeOperatorEmailChange = (deps: ChangeDeps): OperatorEmailChange => ({
	request: async ({ user: { id: userId, email: from }, deletedAt }, newEmail) => {
		const { lifetime } = deps.policy.code;
		if (deletedAt !== null) {
			const purgeAt = secondsAfter(deletedAt, deps.policy.deletion.grace);
			return err({ code: 'account_deleted', purgeAt, restoreToken: null });
		}
		const parsed = parseEmail(newEmail, deps.domainNames);
		if (!parsed.ok) return parsed;
		const to = parsed.value;
		if (to === from) return err({ code: 'same_email' });
		if ((await deps.accounts.find(to)) !== null) return taken;
		const id = deps.ids.next();
		const code = generateCode(deps.random, deps.codeShape);
		const bound = { purpose: 'operator_email_change', email: to, boundTo: userId } as const;
		const secretHash = await deps.codeHasher.hash({ ...bound, from, code });
		const mail = { kind: 'operator_change_code', to, account: from, code, lifetime } as const;
		const requestedAt = deps.clock.now();
		const sent = await deps.mailer.send({ ...mail, at: requestedAt }, id as EmailId);
		if (sent !== 'sent' && sent !== 'unknown') return err({ code: 'delivery_failed' });
		const now = deps.clock.now();
		const challenge = { ...bound, id: id as ChallengeId, requestedBy: null, secretHash };
		const counted = { requestedAt, attemptsUsed: 0 };
		const expiresAt = secondsAfter(now, lifetime);
		await deps.challenges.issue(newChallenge(challenge, counted, expiresAt), now);
		deps.codeCounts.note('code_sent', from);
		return ok({ userId, from, to });
	},

	confirm: async ({ userId, from, to }, code, reason) => {
		const now = deps.clock.now();
		const guess = { purpose: 'operator_email_change', email: to, boundTo: userId, from } as const;
		const right = await compareCode(deps, guess, code, now);
		if (!right.ok) {
			const { error } = right;
			const isCompared = error.code !== 'invalid_code' || error.attemptsLeft !== null;
			return isCompared || parseCode(code, deps.codeShape) === null ? right : noLongerThere;
		}
		const id = deps.ids.next() as UndoId;
		const expiresAt = secondsAfter(now, deps.policy.emailChange.undoFor);
		const notices = (token: UndoToken | null): readonly OutboxRow[] =>
			[from, to].map((recipient) => {
				const undo = recipient === from ? token : null;
				const about = { to: recipient, oldEmail: from, newEmail: to, at: now } as const;
				const link = { undoToken: undo, undoUntil: undo && expiresAt } as const;
				const mail = { kind: 'operator_change_notice', ...about, ...link } as const;
				return deps.outbox.prepare(mail, { now, fairnessKey: userId });
			});
		const undo = { id, expiresAt, emails: notices(undoToken(deps.undoSigner, id)) };
		const change = { challengeId: right.value.id, userId, from, to, emails: notices(null), undo };
		const changed = await deps.operators.changeEmail({ ...change, reason }, now);
		if (changed === null) return noLongerThere;
		if (changed === 'email_taken') return taken;
		deps.outbox.wake();
		return ok(changed);
	}
});
