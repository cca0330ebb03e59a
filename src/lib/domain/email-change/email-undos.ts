import type { OutboxRow } from '../delivery/outbox-rows.ts';
import type { DeviceChange } from '../devices/device.ts';
import type { Email } from '../email.ts';
import type { UndoId } from '../ids.ts';
import type { EmailChanged } from './email-changes.ts';

/** An email change that its old address can undo. */
export interface UndoableChange {
	readonly id: UndoId;
	/** The old address, which can have the account back. */
	readonly to: Email;
	/** The address that the account has now. */
	readonly from: Email;
	readonly expiresAt: Date;
}

export interface Undo extends Pick<UndoableChange, 'id' | 'from'> {
	/** They go to the outbox together with the undo. */
	readonly emails: readonly OutboxRow[];
	/** Makes the client that undoes the change a known device of the account. */
	readonly device: DeviceChange;
}

/**
 * The rights of old addresses to undo an email change. `EmailChanges.complete` adds them.
 *
 * The rights of an account are in the order of its changes. An undo removes the right that it uses
 * and all later ones, and gives the address that the account leaves no right. So an earlier address
 * keeps its right whatever later ones do, and a later one never undoes an undo.
 *
 * While it has the right, an address is reserved: no account is created with it, and no other account
 * moves to it.
 */
export interface EmailUndos {
	/** The change that an unexpired right can undo. Also finds those of deleted accounts. */
	find(id: UndoId, now: Date): Promise<UndoableChange | null>;

	/** Whether an address is reserved at `now`. */
	isReserved(email: Email, now: Date): Promise<boolean>;

	/**
	 * Moves the account back to the old address and ends all its sessions with everything that they
	 * requested. Revokes every code for both addresses, and forgets every device of the account. Then
	 * the client becomes its only known device, as in `SignIns.redeem`: so others who use up the sends
	 * of unknown clients cannot keep the owner out. A deleted account stays deleted, and knows the
	 * client too. All of this happens or nothing.
	 *
	 * Returns null, and nothing happens, when the right is gone or has expired, or when the account is
	 * no longer at `from`. Of any number of undos with one right exactly one succeeds.
	 */
	undo(undo: Undo, now: Date): Promise<EmailChanged | null>;

	/** Removes at most `limit` rights that expired at or before `now`. Returns how many. */
	prune(now: Date, limit: number): Promise<number>;
}
