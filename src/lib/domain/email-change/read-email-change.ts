import { EMAIL_CHANGE_PURPOSES } from '../sign-in/challenge.ts';
import type { Email } from '../email.ts';
import type { Clock } from '../clock.ts';
import type { EmailChanges } from './email-changes.ts';
import type { Signer } from '../signer.ts';
import type { LinkToken } from '../secret.ts';
import type { User } from '../account/user.ts';
import { isAppliedLink, linkedChange } from './change-link.ts';

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
