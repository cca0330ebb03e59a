import type { Email } from '#lib/domain/email.ts';
import type { UndoId, UserId } from '#lib/domain/ids.ts';

export interface EmailUndoRow {
	readonly id: UndoId;
	readonly userId: UserId;
	/** The address that the account left. */
	readonly email: Email;
	readonly depth: number;
	readonly expiresAt: Date;
}
