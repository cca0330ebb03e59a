import type { UserId } from '../ids.ts';
import type { EmailChanges } from './email-changes.ts';

/** Forgets the change of address that waits for an account; its code or link is worth nothing then. */
export type CancelEmailChange = (userId: UserId) => Promise<void>;

export const makeCancelEmailChange =
	({ emailChanges }: { readonly emailChanges: EmailChanges }): CancelEmailChange =>
	(userId) =>
		emailChanges.cancel(userId);
