import type { OpenRequest } from '../challenge.ts';
import { generateCode, type CodeShape } from '../code.ts';
import type { Email } from '../email.ts';
import type { ErrorOf } from '../errors.ts';
import type { ChallengeId } from '../ids.ts';
import type { Accounts } from '../ports/accounts.ts';
import type { Background } from '../ports/background.ts';
import type { Challenges } from '../ports/challenges.ts';
import type { CodeHasher } from '../ports/code-hasher.ts';
import type { Ids } from '../ports/ids.ts';
import type { Mailer } from '../ports/mailer.ts';
import type { Outbox } from '../ports/outbox.ts';
import type { Random } from '../ports/random.ts';
import type { SecretHasher } from '../ports/secret-hasher.ts';
import { ok, type Result } from '../result.ts';
import type { BrowserKey } from '../secret.ts';
import type { Device } from '../session.ts';
import { secondsAfter } from '../time.ts';
import { admitSend, type AdmitSendDeps } from './admit-send.ts';
import { deliverIf, deliverNow } from './deliver.ts';

export interface RequestCodeInput {
	readonly email: string;
	readonly purpose: 'sign_in' | 'email_verification';
	/** The browser the code is to be bound to; null binds it to the address alone. */
	readonly browser: BrowserKey | null;
	readonly device: Device;
}

export interface RequestedCode {
	readonly email: Email;
	readonly expiresAt: Date;
}

export type RequestCodeError = ErrorOf<
	'invalid_email' | 'too_many_sends' | 'delivery_failed' | 'mail_busy'
>;

/** Sends a code to an address. Known and unknown addresses get the same answer in the same time. */
export type RequestCode = (
	input: RequestCodeInput
) => Promise<Result<RequestedCode, RequestCodeError>>;

export interface RequestCodeDeps extends AdmitSendDeps {
	readonly mailer: Mailer;
	readonly outbox: Outbox;
	readonly accounts: Accounts;
	readonly challenges: Challenges;
	readonly codeHasher: CodeHasher;
	readonly secretHasher: SecretHasher;
	readonly background: Background;
	readonly random: Random;
	readonly ids: Ids;
	readonly codeShape: CodeShape;
	/** Where it is closed, sign-in codes are mailed to existing accounts only. */
	readonly signUp: 'open' | 'closed';
}

export const makeRequestCode =
	(deps: RequestCodeDeps): RequestCode =>
	async ({ email: typed, purpose, browser, device }) => {
		const { lifetime } = deps.policy.code;
		const admitted = await admitSend(deps, typed);
		if (!admitted.ok) return admitted;
		const { email, askedAt, attempts } = admitted.value;

		const code = generateCode(deps.random, deps.codeShape);
		const boundTo = browser && deps.secretHasher.ofBrowserKey(browser);
		const bound = { purpose, email, boundTo } as const;
		const codeHash = await deps.codeHasher.hash({ ...bound, code });
		const mail = {
			kind: purpose === 'sign_in' ? 'sign_in_code' : 'email_verification_code',
			to: email,
			code,
			lifetime,
			at: askedAt,
			device
		} as const;
		const issue = async (): Promise<Result<RequestedCode, never>> => {
			const now = deps.clock.now();
			const challenge: OpenRequest = {
				...bound,
				id: deps.ids.next() as ChallengeId,
				requestedBy: null,
				codeHash,
				attempts,
				expiresAt: secondsAfter(now, lifetime),
				createdAt: askedAt
			};
			await deps.challenges.issue(challenge, now);
			return ok({ email, expiresAt: challenge.expiresAt });
		};

		if (purpose === 'sign_in' && deps.signUp === 'open') {
			// The email goes first: when it is not handed over, the code sent earlier stays valid.
			const sent = await deliverNow(deps, mail, askedAt);
			return sent.ok ? issue() : sent;
		}

		// Only an existing account gets this mail. So the answer comes first and what waits is the same
		// for everybody: neither time, fault nor later guesses tell who has an account. Nor is the send
		// of a refused mail given back, as only some addresses get one.
		const issued = await issue();
		deps.background.run(`${mail.kind} mail`, () =>
			deliverIf(deps.outbox, mail, async () => {
				const found = await deps.accounts.find(email);
				return found !== null && (purpose === 'sign_in' || found.deletedAt === null);
			})
		);
		return issued;
	};
