import { parseEmail } from '../email.ts';
import type { Accounts } from '../account/accounts.ts';
import type { Clock } from '../clock.ts';
import type { DomainNames } from '../domain-names.ts';
import type { SecretHasher } from '../secret-hasher.ts';
import { ok, type Result } from '../result.ts';
import { clientBinding, type CodeClient } from './client-binding.ts';
import {
	limitWrongCodes,
	type CheckError,
	type LimitWrongCodesDeps
} from '../limits/wrong-codes.ts';
import type { User } from '../account/user.ts';
import { compareCode, notACode, type CompareCodeDeps } from './compare-code.ts';

export interface VerifyEmailInput extends CodeClient {
	readonly email: string;
	readonly code: string;
}

/**
 * Uses a code to prove an address again. An address without an account gets the result of a wrong
 * code.
 */
export type VerifyEmail = (input: VerifyEmailInput) => Promise<Result<User, CheckError>>;

export interface VerifyEmailDeps extends CompareCodeDeps, LimitWrongCodesDeps {
	readonly accounts: Accounts;
	readonly secretHasher: SecretHasher;
	readonly domainNames: DomainNames;
	readonly clock: Clock;
}

export const makeVerifyEmail =
	(deps: VerifyEmailDeps): VerifyEmail =>
	async ({ email: typed, code, ...client }) => {
		const email = parseEmail(typed, deps.domainNames);
		if (!email.ok) return notACode;
		const boundTo = clientBinding(deps.secretHasher, client);
		const guess = { purpose: 'email_verification', email: email.value, boundTo } as const;
		const compare = () => compareCode(deps, guess, code, deps.clock.now());
		const right = await limitWrongCodes(deps, client, email.value, compare);
		if (!right.ok) return right;
		const user = await deps.accounts.confirmEmail(right.value.id);
		return user === null ? notACode : ok(user);
	};
