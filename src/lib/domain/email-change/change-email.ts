import type { Network } from '../client.ts';
import { parseEmail } from '../email.ts';
import type { ErrorOf, Result } from '../errors.ts';
import type { DomainNames } from '../ports.ts';
import {
	compareCodeWithinLimit,
	notACode,
	type CheckError,
	type LimitWrongCodesDeps
} from '../sign-in/steps.ts';
import type { Clock } from '../time.ts';
import type { EmailChanged } from './ports.ts';
import { completeEmailChange, type CompleteEmailChangeDeps, type Confirmer } from './steps.ts';

export interface ChangeEmailInput extends Confirmer {
	readonly network: Network;
	readonly newEmail: string;
	readonly code: string;
}

export type ChangeEmailError = CheckError | ErrorOf<'invalid_email' | 'email_taken'>;

/** Moves an account to the new email address, confirmed by the code that was sent there. */
export type ChangeEmail = (
	input: ChangeEmailInput
) => Promise<Result<EmailChanged, ChangeEmailError>>;

export interface ChangeEmailDeps extends CompleteEmailChangeDeps, LimitWrongCodesDeps {
	readonly domainNames: DomainNames;
	readonly clock: Clock;
}

export const makeChangeEmail =
	(deps: ChangeEmailDeps): ChangeEmail =>
	async (input) => {
		const email = parseEmail(input.newEmail, deps.domainNames);
		if (!email.ok) return email;
		const { id, email: from } = input.user;
		const attempt = { purpose: 'email_change', email: email.value, boundTo: id, from } as const;
		const now = deps.clock.now();
		// A session proves nothing about the new email address, so it is an unknown client there.
		const client = { network: input.network };
		const right = await compareCodeWithinLimit(deps, client, attempt, input.code, now);
		if (!right.ok) return right;
		const { id: challengeId } = right.value;
		const completed = await completeEmailChange(deps, input, challengeId, email.value, now);
		return completed ?? notACode;
	};
