import type { RequestSource } from '../client.ts';
import { fromStore, type UseCaseDeps } from '../deps.ts';
import { planDevice } from '../sessions/known-device.ts';
import type { Email } from '../email.ts';
import { err, ok, type ErrorOf, type Result } from '../errors.ts';
import type { PresentedKey, DeviceKey } from '../secret.ts';
import { undoIdOf, type ChangeLinkToken } from '../signed-links.ts';
import type { User } from '../user.ts';
import { makeChangeEmailByCode, makeChangeEmailByLink } from './change-email.ts';
import { isAppliedLink, pendingChangeOfLink } from './change-link.ts';
import type { EmailChanged, UndoableChange } from './ports.ts';
import { makeMustReauthenticate, makeReadReauthenticationCode } from './reauthenticate.ts';
import { makeRequestEmailChange, makeRequestEmailChangeByLink } from './request-email-change.ts';

interface PendingEmailChange {
	readonly to: Email;
	readonly way: 'code' | 'link';
	readonly expiresAt: Date;
}

const makeReadEmailChange =
	({ emailChanges, clock }: UseCaseDeps) =>
	async ({ id }: Pick<User, 'id'>): Promise<PendingEmailChange | null> => {
		const pending = await emailChanges.pendingOf(id, clock.now());
		if (pending === null) return null;
		const { email, purpose, expiresAt } = pending;
		return { to: email, way: purpose === 'email_change_link' ? 'link' : 'code', expiresAt };
	};

/**
 * Does not use the link. `applied` when the account already has its email address. Null when the
 * link is not valid for this account, or no longer.
 */
const makeReadChangeLink =
	(deps: UseCaseDeps) =>
	async (
		user: Pick<User, 'id' | 'email'>,
		token: ChangeLinkToken
	): Promise<{ readonly to: Email; readonly canUndo: boolean } | 'applied' | null> => {
		const now = deps.clock.now();
		const change = await pendingChangeOfLink(deps, user, token, now);
		if (change !== null) {
			// Nobody can undo a change back to an email address that could undo the last one.
			const canUndo = !(await deps.emailUndos.isReserved(change.email, now));
			return { to: change.email, canUndo };
		}
		return isAppliedLink(deps.changeLinkSigner, user, token) ? 'applied' : null;
	};

interface UndoEmailChangeInput {
	readonly token: string;
	readonly source: RequestSource;
	/** The key of this browser, which becomes a known device. */
	readonly presentedKey?: PresentedKey | null;
}

interface UndoneChange extends EmailChanged {
	/** The key that replaces the one of this browser. Null for a program, which has its own. */
	readonly deviceKey: DeviceKey | null;
}

/** A retry is needed only if another change commits between `find` and `undo`. */
const TRIES = 3;

const makeReadUndo =
	({ emailUndos, undoSigner, clock }: UseCaseDeps) =>
	async (token: string): Promise<UndoableChange | null> => {
		const id = undoIdOf(undoSigner, token);
		return id && emailUndos.find(id, clock.now());
	};

/** Gives an account its old email address back. Needs no session: the link came to that one. */
const makeUndoEmailChange =
	(deps: UseCaseDeps) =>
	async (
		input: UndoEmailChangeInput
	): Promise<Result<UndoneChange, ErrorOf<'invalid_undo_link'>>> => {
		const { token, source, presentedKey = null } = input;
		const id = undoIdOf(deps.undoSigner, token);
		for (let tries = 0; id !== null && tries < TRIES; tries += 1) {
			const now = deps.clock.now();
			const found = await deps.emailUndos.find(id, now);
			if (found === null) break;
			const { from, to } = found;
			const about = { to: from, oldEmail: to, at: now, source } as const;
			const mail = { kind: 'email_change_undone', ...about } as const;
			const { placement, newKey } = planDevice(deps, { presentedKey, source }, now);
			const mails = [deps.outbox.prepare(mail, { now, fairnessKey: id })];
			const undone = await deps.emailUndos.undo({ id, from, mails, device: placement }, now);
			// Null, too, when the account has moved since it was read. Then the next try follows it.
			if (undone === null) continue;
			deps.outbox.wake();
			return ok({ ...undone, deviceKey: newKey });
		}
		return err({ code: 'invalid_undo_link' });
	};

export const emailChange = {
	mustReauthenticate: makeMustReauthenticate,
	readReauthenticationCode: makeReadReauthenticationCode,
	requestEmailChange: makeRequestEmailChange,
	requestEmailChangeByLink: makeRequestEmailChangeByLink,
	readEmailChange: makeReadEmailChange,
	readChangeLink: makeReadChangeLink,
	changeEmailByLink: makeChangeEmailByLink,
	changeEmailByCode: makeChangeEmailByCode,
	cancelEmailChange: fromStore('emailChanges', 'cancel'),
	readUndo: makeReadUndo,
	undoEmailChange: makeUndoEmailChange
};
