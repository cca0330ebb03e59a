import type { Device } from '../client.ts';
import type { Email } from '../email.ts';
import { err, ok, type ErrorOf, type Result } from '../errors.ts';
import type { UserId } from '../ids.ts';
import { planDevice, type DeviceChangeDeps } from '../known-device.ts';
import type { Outbox } from '../outbox.ts';
import type { Signer } from '../ports.ts';
import type { DeviceClaim, DeviceKey, LinkToken } from '../secret.ts';
import { EMAIL_CHANGE_PURPOSES } from '../sign-in/ports.ts';
import { undoIdOf } from '../signed-links.ts';
import type { Clock } from '../time.ts';
import type { User } from '../user.ts';
import { makeChangeEmail } from './change-email.ts';
import type { EmailChanged, EmailChanges, EmailUndos, UndoableChange } from './ports.ts';
import { makeRequestEmailChange } from './request-email-change.ts';
import { completeEmailChange, isAppliedLink, linkedChange, type CompleteEmailChangeDeps, type Confirmer } from './steps.ts';

export interface PendingEmailChange {
	readonly to: Email;
	readonly way: 'code' | 'link';
	readonly expiresAt: Date;
}

/** The pending email change of an account, or null. Changes nothing and costs no attempt. */
export type ReadEmailChange = (user: Pick<User, 'id'>) => Promise<PendingEmailChange | null>;

/**
 * The address that a link would move this account to. `applied` when the account already has that
 * address. Null when the link is not valid for this account, or no longer. Does not use the link.
 */
export type ReadChangeLink = (
	user: Pick<User, 'id' | 'email'>,
	token: LinkToken
) => Promise<PendingEmailChange | 'applied' | null>;

export interface ReadEmailChangeDeps {
	readonly emailChanges: EmailChanges;
	readonly linkSigner: Signer;
	readonly clock: Clock;
}

export const makeReadEmailChange =
	(deps: ReadEmailChangeDeps): ReadEmailChange =>
	async ({ id }) => {
		const pending = await deps.emailChanges.pendingOf(id, EMAIL_CHANGE_PURPOSES, deps.clock.now());
		if (pending === null) return null;
		const { email, purpose, expiresAt } = pending;
		return { to: email, way: purpose === 'email_change_link' ? 'link' : 'code', expiresAt };
	};

export const makeReadChangeLink =
	(deps: ReadEmailChangeDeps): ReadChangeLink =>
	async (user, token) => {
		const change = await linkedChange(deps, user, token, deps.clock.now());
		if (change !== null) return { to: change.email, way: 'link', expiresAt: change.expiresAt };
		return isAppliedLink(deps.linkSigner, user, token) ? 'applied' : null;
	};

export interface ConfirmEmailChangeInput extends Confirmer {
	readonly token: LinkToken;
}

export type ConfirmEmailChangeError = ErrorOf<'invalid_link' | 'email_taken'>;

/** Moves an account to the new email address, confirmed by the link that was sent there. */
export type ConfirmEmailChange = (
	input: ConfirmEmailChangeInput
) => Promise<Result<EmailChanged, ConfirmEmailChangeError>>;

export interface ConfirmEmailChangeDeps extends CompleteEmailChangeDeps {
	readonly linkSigner: Signer;
	readonly clock: Clock;
}

const invalidLink = err<ConfirmEmailChangeError>({ code: 'invalid_link' });

export const makeConfirmEmailChange =
	(deps: ConfirmEmailChangeDeps): ConfirmEmailChange =>
	async (input) => {
		const now = deps.clock.now();
		const change = await linkedChange(deps, input.user, input.token, now);
		if (change === null) return invalidLink;
		const { id, email } = change;
		return (await completeEmailChange(deps, input, id, email, now)) ?? invalidLink;
	};

/** Cancels the pending email change of an account. Its code or link stops working. */
export type CancelEmailChange = (userId: UserId) => Promise<void>;

export const makeCancelEmailChange =
	({ emailChanges }: { readonly emailChanges: EmailChanges }): CancelEmailChange =>
	(userId) =>
		emailChanges.cancel(userId);

/** The change of a link. Changes nothing. Null when the link is not valid, or no longer. */
export type ReadUndo = (token: string) => Promise<UndoableChange | null>;

export interface UndoEmailChangeInput {
	readonly token: string;
	/** The device that confirmed the undo. */
	readonly device: Device;
	/** The key of this browser, which becomes a known device. */
	readonly claim?: DeviceClaim | null;
}

export interface UndoneChange extends EmailChanged {
	/** The key that replaces the one of this browser. Null for a program, which has its own. */
	readonly deviceKey: DeviceKey | null;
}

/** Gives an account back to its old address. Needs no session: the link came to that address. */
export type UndoEmailChange = (
	input: UndoEmailChangeInput
) => Promise<Result<UndoneChange, ErrorOf<'invalid_undo_link'>>>;

export interface ReadUndoDeps {
	readonly emailUndos: EmailUndos;
	readonly undoSigner: Signer;
	readonly clock: Clock;
}

export interface UndoEmailChangeDeps extends ReadUndoDeps, DeviceChangeDeps {
	readonly outbox: Outbox;
}

/** How often to retry when a concurrent change moves the account. */
const TRIES = 3;

export const makeReadUndo =
	({ emailUndos, undoSigner, clock }: ReadUndoDeps): ReadUndo =>
	async (token) => {
		const id = undoIdOf(undoSigner, token);
		return id && emailUndos.find(id, clock.now());
	};

export const makeUndoEmailChange =
	(deps: UndoEmailChangeDeps): UndoEmailChange =>
	async ({ token, device, claim = null }) => {
		for (let tries = 0; tries < TRIES; tries += 1) {
			const found = await makeReadUndo(deps)(token);
			if (found === null) break;
			const { id, from, to } = found;
			const now = deps.clock.now();
			const mail = {
				kind: 'email_change_undone',
				to: from,
				oldEmail: to,
				at: now,
				device
			} as const;
			const { change, newKey } = planDevice(deps, claim, now);
			const emails = [deps.outbox.prepare(mail, { now, queue: id })];
			const undone = await deps.emailUndos.undo({ id, from, emails, device: change }, now);
			// Null, too, when the account has moved since it was read. Then the next try follows it.
			if (undone === null) continue;
			deps.outbox.wake();
			return ok({ ...undone, deviceKey: newKey });
		}
		return err({ code: 'invalid_undo_link' });
	};

export const emailChange = {
	requestEmailChange: makeRequestEmailChange,
	readEmailChange: makeReadEmailChange,
	readChangeLink: makeReadChangeLink,
	confirmEmailChange: makeConfirmEmailChange,
	changeEmail: makeChangeEmail,
	cancelEmailChange: makeCancelEmailChange,
	readUndo: makeReadUndo,
	undoEmailChange: makeUndoEmailChange
};
