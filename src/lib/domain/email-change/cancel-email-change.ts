import type { UserId } from '../ids.ts';
import type { EmailChanges } from './email-changes.ts';

/** Cancels the pending email change of an account. Its code or link stops working. */
export type CancelEmailChange = (userId: UserId) => Promise<void>;

export const makeCancelEmailChange =
	({ emailChanges }: { readonly emailChanges: EmailChanges }): CancelEmailChange =>
	(userId) =>
		emailChanges.cancel(userId);
