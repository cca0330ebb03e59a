import type { RequestSource } from '../client.ts';
import { deliverNow } from '../delivery/send-or-retry-mail.ts';
import type { UseCaseDeps } from '../deps.ts';
import { recognise } from '../sessions/recognise.ts';
import { parseEmail } from '../email.ts';
import { err, ok, type ErrorOf, type Result } from '../errors.ts';
import { throttleSend, type SendError } from '../limits/throttle-send.ts';
import type { SendProof } from '../proof/ports.ts';
import { clientBinding, newCode } from './challenge.ts';
import type { Challenge, CodeClient } from './ports.ts';

export interface RequestCodeInput extends CodeClient {
	readonly email: string;
	readonly purpose: 'sign_in' | 'email_verification';
	readonly source: RequestSource;
	/** Only `PROOF_OF_WORK` asks for one. */
	readonly proof?: SendProof | null;
}

type RequestCodeError =
	| ErrorOf<
			'invalid_email' | 'proof_required' | 'delivery_failed' | 'address_refused' | 'mail_busy'
	  >
	| SendError;

/**
 * Sends a code to an email address and stores its challenge. Known and unknown addresses get the
 * same response in the same time.
 */
export const makeRequestCode =
	(deps: UseCaseDeps) =>
	async (
		input: RequestCodeInput
	): Promise<Result<Pick<Challenge, 'email' | 'expiresAt'>, RequestCodeError>> => {
		const { purpose, source, network, proof = null } = input;
		const parsed = parseEmail(input.email, deps.domainNames);
		if (!parsed.ok) return parsed;
		const email = parsed.value;
		const boundTo = clientBinding(deps.secretHasher, input);
		const account = await recognise(deps, input, email);
		const isKnownClient = account !== null;
		if (deps.proofOfWork && !isKnownClient) {
			const isProven = proof !== null && (await deps.spentProofs.spend(proof));
			if (!isProven) return err({ code: 'proof_required' });
		}
		const isBound = boundTo !== null;
		const send = { email, account, isKnown: isKnownClient, isBound, network };
		const allowed = await throttleSend(deps, send);
		if (!allowed.ok) return allowed;

		const bound = { purpose, email, boundTo, requestedBy: null };
		const code = await newCode(deps, bound, allowed.value);
		const kind = purpose === 'sign_in' ? 'sign_in_code' : 'email_verification_code';
		const mail = { kind, ...code.mail, source } as const;
		const isAwaited = purpose === 'sign_in' && deps.signUp === 'open';
		if (isAwaited) {
			// The email goes first: if sending fails, the code sent earlier stays valid.
			const sent = await deliverNow(deps, mail, code.id, allowed.value);
			if (!sent.ok) return sent;
		}
		const now = deps.clock.now();
		const challenge = code.challengeFrom(now);
		// Only existing accounts get the other emails. So the response comes first, and what is stored
		// is the same for every email address. Response times, faults and later attempts then do not
		// show whether an account exists.
		const onlyIf = purpose === 'sign_in' ? 'account' : 'active_account';
		const plan = { now, fairnessKey: network, onlyIf } as const;
		const mails = isAwaited ? [] : [deps.outbox.prepare(mail, plan)];
		await deps.challenges.issue(challenge, now, mails);
		deps.codeCounts.count('code_sent', email);
		if (!isAwaited) deps.outbox.wake();
		return ok({ email, expiresAt: challenge.expiresAt });
	};
