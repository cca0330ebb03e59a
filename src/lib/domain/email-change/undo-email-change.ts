import type { Clock } from '../clock.ts';
import type { AnyMail, RequestDetails } from '../delivery/mailer.ts';
import type { OutboxOf } from '../delivery/outbox.ts';
import { planDevice, type DeviceChangeDeps } from '../devices/device.ts';
import type { DeviceClaim, DeviceKey } from '../devices/device-key.ts';
import type { Email } from '../email.ts';
import type { ErrorOf } from '../errors.ts';
import { err, ok, type Result } from '../result.ts';
import type { Device } from '../sessions/session.ts';
import type { Signer } from '../signer.ts';
import type { EmailChanged } from './email-changes.ts';
import type { EmailUndos, UndoableChange } from './email-undos.ts';
import { undoIdOf } from './undo-link.ts';

/** Tells the address that the account leaves. */
export interface ChangeUndoneMail extends AnyMail, RequestDetails {
	readonly kind: 'email_change_undone';
	/** The address that the account has again. */
	readonly oldEmail: Email;
}

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
	readonly outbox: OutboxOf<ChangeUndoneMail>;
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
