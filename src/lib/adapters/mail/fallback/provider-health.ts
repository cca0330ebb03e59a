import type { Timing } from '../delivery/usual-duration.ts';
import type { MailStep } from '../smtp-failure.ts';
import type { RouteOutcome } from '../smtp-route.ts';

/** For how many milliseconds a provider that failed is skipped. */
const SKIPPED_FOR = 30_000;
/** How many failures in a row that a recipient may have caused count as one of the provider. */
const SUSPECTS = 3;

/** Before these steps end, the provider does not know the recipient. So no recipient causes them. */
const OWN_STEPS: ReadonlySet<MailStep> = new Set([
	'dns',
	'connect',
	'tls',
	'greeting',
	'auth',
	'sender'
]);

/** Whether a provider works, as its last emails showed. */
export interface ProviderHealth {
	/** Another provider should take the next email. */
	isSkipped(): boolean;
	/**
	 * Call it before an attempt, and the result with its outcome. After a skip, the first attempt is
	 * the trial, and the provider stays skipped for all others until it ends.
	 */
	begin(recipientDomain: string): (outcome: RouteOutcome) => void;
}

/**
 * Skips a provider for 30 s after a failure of its own: it was not reached, or it accepts no email
 * of this sender. An attacker chooses recipients, so a recipient alone must not cause that:
 *
 * - A final refusal of a recipient or a text (5xx) never counts.
 * - A temporary one (4xx, such as greylisting), a timeout and a lost connection count from the third
 *   in a row without an accepted email. Temporary refusals of one domain count once.
 */
export const providerHealth = (timing: Timing): ProviderHealth => {
	/** Null while the provider works. */
	let skippedUntil: number | null = null;
	let isTrying = false;
	/** Failures in a row that a recipient may have caused: the domain, or null for any. */
	let suspects: (string | null)[] = [];

	const skip = (): void => {
		skippedUntil = timing.now() + SKIPPED_FOR;
		suspects = [];
	};
	const suspect = (domain: string | null): void => {
		if (domain === null || !suspects.includes(domain)) suspects.push(domain);
		if (suspects.length >= SUSPECTS) skip();
	};

	const judge = (outcome: RouteOutcome, isTrial: boolean, domain: string): void => {
		if (outcome.delivery === 'busy') return;
		if (outcome.delivery === 'sent') {
			skippedUntil = null;
			suspects = [];
			return;
		}
		const { step, code } = outcome;
		if (OWN_STEPS.has(step)) return skip();
		if (step === 'connection' || step === 'deadline') {
			return isTrial ? skip() : suspect(null);
		}
		// A reply about the recipient or the text: the provider can be reached again.
		skippedUntil = null;
		if (code.startsWith('4')) suspect(domain);
	};

	return {
		isSkipped: () => skippedUntil !== null && (isTrying || timing.now() < skippedUntil),
		begin: (domain) => {
			const isTrial = skippedUntil !== null && !isTrying && timing.now() >= skippedUntil;
			if (isTrial) isTrying = true;
			return (outcome) => {
				if (isTrial) isTrying = false;
				judge(outcome, isTrial, domain);
			};
		}
	};
};
