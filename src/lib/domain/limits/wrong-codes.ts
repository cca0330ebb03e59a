import { recognise, type Caller, type RecogniseDeps } from '../devices/recognise.ts';
import type { Email } from '../email.ts';
import type { ErrorOf } from '../errors.ts';
import { err, type Result } from '../result.ts';
import type { CodeError } from '../sign-in/compare-code.ts';
import type { Network, Sender } from './sender.ts';

/** Counts the wrong codes of each network in this process (`policy.guessing`). */
export interface WrongCodes {
	/**
	 * Counts a check before its code is compared, so that concurrent guesses are not free. Returns
	 * null, or the whole seconds until the network may check again. A refused check is not counted.
	 */
	begin(network: Network): number | null;
	/** Ends a check that was begun. One that was no wrong guess no longer counts. */
	end(network: Network, wasWrong: boolean): void;
}

export interface LimitWrongCodesDeps extends RecogniseDeps {
	readonly wrongCodes: WrongCodes;
}

export type CheckError = CodeError | ErrorOf<'too_many_wrong_codes'>;

/**
 * Compares a code, unless too many wrong codes came from the client's network. A known device of the
 * account can always go on. A refused check costs no attempt. The answer does not depend on accounts:
 * each email address gets the same lookup.
 */
export const limitWrongCodes = async <T>(
	deps: LimitWrongCodesDeps,
	{ sender: { network }, ...caller }: Caller & { readonly sender: Sender },
	email: Email,
	compare: () => Promise<Result<T, CodeError>>
): Promise<Result<T, CheckError>> => {
	const retryAfter = deps.wrongCodes.begin(network);
	if (retryAfter !== null) {
		const isKnown = (await recognise(deps, caller, email)) !== null;
		return isKnown ? compare() : err({ code: 'too_many_wrong_codes', retryAfter });
	}
	let wasWrong = false;
	try {
		const compared = await compare();
		wasWrong = !compared.ok && isWrongGuess(compared.error);
		return compared;
	} finally {
		deps.wrongCodes.end(network, wasWrong);
	}
};

/** Whether a code was compared. Other errors mean that there was no live code, or none was typed. */
const isWrongGuess = (error: CodeError): boolean =>
	error.code === 'invalid_code' && error.attemptsLeft !== null;
