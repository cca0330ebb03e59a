import type { Account } from '../account/ports.ts';
import { deletionNotice, readAccountData } from '../account/use-cases.ts';
import { fromStore, type UseCaseDeps } from '../deps.ts';
import { noticesWithUndo } from '../email-change/change-email.ts';
import type { AccountAt, EmailChanged } from '../email-change/ports.ts';
import { parseEmail, type Email } from '../email.ts';
import { err, ok, type DomainError, type ErrorOf, type Result } from '../errors.ts';
import { PAGE_SIZE, readEvents, recordReading } from '../events/use-cases.ts';
import { parseUserId, type EventId, type UserId } from '../ids.ts';
import { NO_UNDO } from '../mail.ts';
import { newCode } from '../sign-in/challenge.ts';
import { parseCode } from '../sign-in/code.ts';
import { compareCode, noMatchingCode, type CodeError } from '../sign-in/compare-code.ts';
import { secondsAfter } from '../time.ts';
import { storable } from '../user.ts';
import type { ActionResult, OperatorAction } from './ports.ts';

const byId = async ({ operators }: UseCaseDeps, text: string): Promise<Account | null> => {
	const id = parseUserId(text.trim().toLowerCase());
	return id && operators.find(id);
};

/**
 * A page of the accounts whose email addresses begin with the text, in their order, or the one whose
 * id it is. `next` is the address after which the next page begins.
 */
const makeListAccounts =
	(deps: UseCaseDeps) =>
	async (text: string, after: string | null, size = PAGE_SIZE) => {
		const found = await byId(deps, text);
		if (found !== null) return { accounts: [found], next: null };
		const prefix = storable(text.trim().toLowerCase());
		const query = { prefix, after: after && storable(after), limit: size + 1 };
		const accounts = await deps.operators.list(query);
		const page = accounts.slice(0, size);
		return { accounts: page, next: accounts.length > size ? (page.at(-1)?.email ?? null) : null };
	};

const makeFindAccount =
	(deps: UseCaseDeps) =>
	async (text: string): Promise<Account | null> => {
		const email = parseEmail(text, deps.domainNames);
		return email.ok ? deps.accounts.find(email.value) : byId(deps, text);
	};

/**
 * Everything that operators see of an account, with a page of its events, and records that one
 * looked. Null when it is gone.
 */
const makeViewAccount =
	(deps: UseCaseDeps) =>
	async (id: UserId, operator: UserId | null, after: EventId | null = null, size = PAGE_SIZE) => {
		const found = await deps.operators.find(id);
		if (found === null) return null;
		await recordReading(deps, id, 'opened', { kind: 'operator', id: operator });
		const { deletedAt } = found;
		const { account, ...data } = await readAccountData(deps, found, PAGE_SIZE);
		const { grace } = deps.policy.deletion;
		return {
			account: { ...account, purgeAt: deletedAt && secondsAfter(deletedAt, grace) },
			...data,
			sends: await deps.operators.sendsOf(found),
			...(await readEvents(deps, id, after, size))
		};
	};

const makeActOnAccount =
	(deps: UseCaseDeps) =>
	async (action: OperatorAction): Promise<ActionResult> => {
		const { operators, outbox, policy } = deps;
		const at = deps.clock.now();
		if (action.verb !== 'delete') return operators.act(action, at);
		const account = await operators.find(action.userId);
		if (account === null) return 'gone';
		const about = { at, purgeAt: secondsAfter(at, policy.deletion.grace), source: null };
		const done = await operators.act(action, at, [deletionNotice(outbox, account, about)]);
		if (typeof done !== 'string') outbox.wake();
		return done;
	};

interface RequestedChange extends AccountAt {
	readonly to: Email;
}

const taken = err({ code: 'email_taken' });
const noLongerThere = err({ code: 'expired_code' });

/**
 * How an operator moves an account to another email address, for a person who cannot read the old
 * one. The person reads the code from the new one to the operator. Nothing changes yet.
 */
const makeRequestOperatorEmailChange =
	(deps: UseCaseDeps) =>
	async (
		{ id: userId, email: from, deletedAt }: Account,
		newEmail: string
	): Promise<Result<RequestedChange, DomainError>> => {
		if (deletedAt !== null) {
			const purgeAt = secondsAfter(deletedAt, deps.policy.deletion.grace);
			return err({ code: 'account_deleted', purgeAt, restoreToken: null });
		}
		const parsed = parseEmail(newEmail, deps.domainNames);
		if (!parsed.ok) return parsed;
		const to = parsed.value;
		if (to === from) return err({ code: 'same_email' });
		if ((await deps.accounts.find(to)) !== null) return taken;
		const now = deps.clock.now();
		// Another account may have it back. This one may return to its own.
		const ownRights = await deps.emailUndos.listOf(userId, now);
		const isOwn = ownRights.some((right) => right.to === to);
		if (!isOwn && (await deps.emailUndos.isReserved(to, now))) return taken;
		const bound = { purpose: 'operator_email_change', email: to, from, boundTo: userId } as const;
		const counted = { requestedAt: now, attemptsUsed: 0 };
		const code = await newCode(deps, { ...bound, requestedBy: null }, counted);
		const mail = { kind: 'operator_email_change_code', ...code.mail, account: from } as const;
		const sent = await deps.mailer.send(mail, code.id);
		if (sent !== 'sent' && sent !== 'unknown') return err({ code: 'delivery_failed' });
		const sentAt = deps.clock.now();
		await deps.challenges.issue(code.challengeFrom(sentAt), sentAt);
		deps.codeCounts.count('code_sent', from);
		return ok({ userId, from, to });
	};

/**
 * Tells both email addresses. The old one can undo the change. `expired_code` means that no code
 * can succeed any more. `invalid_code` also means that no text in the shape of a code was typed.
 */
const makeConfirmOperatorEmailChange =
	(deps: UseCaseDeps) =>
	async (
		{ userId, from, to }: RequestedChange,
		code: string,
		reason: string
	): Promise<Result<EmailChanged, CodeError | ErrorOf<'email_taken'>>> => {
		if (parseCode(code) === null) return noMatchingCode;
		const now = deps.clock.now();
		const attempt = { purpose: 'operator_email_change', email: to, boundTo: userId, from } as const;
		const matched = await compareCode(deps, attempt, code, now);
		if (!matched.ok) {
			const { error } = matched;
			const isGone = error.code === 'invalid_code' && error.attemptsLeft === null;
			return isGone ? noLongerThere : matched;
		}
		const notices = noticesWithUndo(deps, now, (link) => {
			const kind = 'operator_email_change_notice';
			const change = { kind, oldEmail: from, newEmail: to } as const;
			return [
				{ ...change, ...link, to: from, at: now },
				{ ...change, ...NO_UNDO, to, at: now }
			].map((mail) => deps.outbox.prepare(mail, { now, fairnessKey: userId }));
		});
		const challengeId = matched.value.id;
		const change = { challengeId, userId, from, to, keep: null, ...notices, reason };
		const changed = await deps.emailChanges.complete(change, now);
		if (changed === null) return noLongerThere;
		if (changed === 'email_taken') return taken;
		deps.outbox.wake();
		return ok(changed);
	};

export const operators = {
	isOperator: fromStore('operators', 'isOperator'),
	listAccounts: makeListAccounts,
	findAccount: makeFindAccount,
	viewAccount: makeViewAccount,
	actOnAccount: makeActOnAccount,
	requestOperatorEmailChange: makeRequestOperatorEmailChange,
	confirmOperatorEmailChange: makeConfirmOperatorEmailChange
};

/** What nobody else may call. `isOperator` decides who may. */
export type OperatorUseCase = Exclude<keyof typeof operators, 'isOperator'>;
