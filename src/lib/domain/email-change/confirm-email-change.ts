import type { ErrorOf } from '../errors.ts';
import type { Clock } from '../clock.ts';
import type { EmailChanged } from './email-changes.ts';
import type { Signer } from '../signer.ts';
import { err, type Result } from '../result.ts';
import type { LinkToken } from '../secret.ts';
import {
	completeEmailChange,
	type CompleteEmailChangeDeps,
	type Confirmer
} from './complete-email-change.ts';
import { linkedChange } from './change-link.ts';

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
