import { generateCode, type CodeShape } from '../code.ts';
import type { Challenge } from '../challenge.ts';
import { parseEmail, type Email } from '../email.ts';
import type { ErrorOf } from '../errors.ts';
import type { ChallengeId } from '../ids.ts';
import type { AuthPolicy } from '../policy.ts';
import type { Challenges } from '../ports/challenges.ts';
import type { Clock } from '../ports/clock.ts';
import type { CodeHasher } from '../ports/code-hasher.ts';
import type { DomainNames } from '../ports/domain-names.ts';
import type { Ids } from '../ports/ids.ts';
import type { Mailer } from '../ports/mailer.ts';
import type { Random } from '../ports/random.ts';
import type { SecretHasher } from '../ports/secret-hasher.ts';
import type { Throttle } from '../ports/throttle.ts';
import { err, ok, type Result } from '../result.ts';
import type { BrowserKey } from '../secret.ts';
import { secondsAfter, wholeSecondsUntil } from '../time.ts';

export interface RequestCodeInput {
	readonly email: string;
	/** The browser the code is to be bound to; null binds it to the address alone. */
	readonly browser: BrowserKey | null;
}

export interface RequestedCode {
	readonly email: Email;
	readonly expiresAt: Date;
}

export type RequestCodeError = ErrorOf<'invalid_email' | 'too_many_sends' | 'delivery_failed'>;

/** Sends a code to an address. Known and unknown addresses take the same path: no account is looked up. */
export type RequestCode = (
	input: RequestCodeInput
) => Promise<Result<RequestedCode, RequestCodeError>>;

export interface RequestCodeDeps {
	readonly challenges: Challenges;
	readonly throttle: Throttle;
	readonly mailer: Mailer;
	readonly codeHasher: CodeHasher;
	readonly secretHasher: SecretHasher;
	readonly domainNames: DomainNames;
	readonly clock: Clock;
	readonly random: Random;
	readonly ids: Ids;
	readonly policy: AuthPolicy;
	readonly codeShape: CodeShape;
}

export const makeRequestCode =
	(deps: RequestCodeDeps): RequestCode =>
	async (input) => {
		const { policy } = deps;
		const parsed = parseEmail(input.email, deps.domainNames);
		if (!parsed.ok) return parsed;
		const email = parsed.value;

		const askedAt = deps.clock.now();
		const hit = await deps.throttle.hit(email, askedAt, policy.throttle.window);
		if (!hit.allowed) {
			return err({ code: 'too_many_sends', retryAfter: wholeSecondsUntil(hit.retryAt, askedAt) });
		}

		const code = generateCode(deps.random, deps.codeShape);
		const browser = input.browser && deps.secretHasher.ofBrowserKey(input.browser);
		const bound = { purpose: 'sign_in', email, browser } as const;
		const codeHash = await deps.codeHasher.hash({ ...bound, code });

		// The mail goes first: when it cannot be handed over, the code sent earlier stays valid.
		const mail = { kind: 'sign_in_code', to: email, code, lifetime: policy.code.lifetime } as const;
		const delivery = await deps.mailer.send(mail);
		if (delivery === 'refused') await deps.throttle.giveBack(email, askedAt);
		if (delivery !== 'sent') return err({ code: 'delivery_failed' });

		const now = deps.clock.now();
		const challenge: Challenge = {
			...bound,
			id: deps.ids.next() as ChallengeId,
			codeHash,
			attempts: attemptsSpentAtIssue(hit.failures, policy),
			expiresAt: secondsAfter(now, policy.code.lifetime),
			createdAt: now
		};
		await deps.challenges.issue(challenge);
		return ok({ email, expiresAt: challenge.expiresAt });
	};

/** An address under a row of wrong guesses gets codes that bear fewer of them. */
const attemptsSpentAtIssue = (failures: number, { code, guessing }: AuthPolicy): number =>
	failures < guessing.strictAfter ? 0 : Math.max(0, code.attempts - guessing.strictAttempts);
