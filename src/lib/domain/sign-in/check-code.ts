import { parseEmail } from '../email.ts';
import type { Clock } from '../clock.ts';
import type { DomainNames } from '../domain-names.ts';
import type { SecretHasher } from '../secret-hasher.ts';
import { ok, type Result } from '../result.ts';
import {
	limitWrongCodes,
	type CheckError,
	type LimitWrongCodesDeps
} from '../limits/wrong-codes.ts';
import { clientBinding, type CodeClient } from './client-binding.ts';
import { compareCode, notACode, type CompareCodeDeps } from './compare-code.ts';

export interface CheckCodeInput extends CodeClient {
	readonly email: string;
	readonly purpose: 'sign_in' | 'email_verification';
	readonly code: string;
}

/** Checks a code without using it. It costs an attempt like any other guess. */
export type CheckCode = (input: CheckCodeInput) => Promise<Result<null, CheckError>>;

export interface CheckCodeDeps extends CompareCodeDeps, LimitWrongCodesDeps {
	readonly secretHasher: SecretHasher;
	readonly domainNames: DomainNames;
	readonly clock: Clock;
}

export const makeCheckCode =
	(deps: CheckCodeDeps): CheckCode =>
	async ({ email: typed, purpose, code, ...client }) => {
		const email = parseEmail(typed, deps.domainNames);
		if (!email.ok) return notACode;
		const boundTo = clientBinding(deps.secretHasher, client);
		const guess = { purpose, email: email.value, boundTo };
		const compare = () => compareCode(deps, guess, code, deps.clock.now());
		const right = await limitWrongCodes(deps, client, email.value, compare);
		return right.ok ? ok(null) : right;
	};
