import type { Email } from '../email.ts';
import type { Accounts } from '../ports/accounts.ts';
import type { SecretHasher } from '../ports/secret-hasher.ts';
import { ok, type Result } from '../result.ts';
import type { BrowserKey } from '../secret.ts';
import { compareCode, notACode, type CodeError, type CompareCodeDeps } from './compare-code.ts';

/** A code that was sent to the address an account has, typed in by whoever holds its session. */
export interface CurrentProof {
	readonly code: string;
	readonly browser: BrowserKey | null;
}

export interface ProveCurrentDeps extends CompareCodeDeps {
	readonly accounts: Accounts;
	readonly secretHasher: SecretHasher;
}

/** Uses a code that proves the current address, so that a session alone moves no account. */
export const proveCurrent = async (
	deps: ProveCurrentDeps,
	email: Email,
	proof: CurrentProof | null,
	now: Date
): Promise<Result<null, CodeError>> => {
	if (proof === null) return notACode;
	const boundTo = proof.browser && deps.secretHasher.ofBrowserKey(proof.browser);
	const guess = { purpose: 'email_verification', email, boundTo } as const;
	const right = await compareCode(deps, guess, proof.code, now);
	if (!right.ok) return right;
	return (await deps.accounts.confirmEmail(right.value.id)) === null ? notACode : ok(null);
};
