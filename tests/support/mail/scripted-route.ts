import type { MailRoute, RouteOptions, RouteOutcome } from '#lib/adapters/mail/smtp-route.ts';
import type { MailStep } from '#lib/adapters/mail/smtp-failure.ts';
import type { Timing } from '#lib/adapters/mail/delivery/usual-duration.ts';
import type { Mail } from '#lib/domain/mail.ts';

export interface ScriptedRoute extends MailRoute {
	/** The emails that it was given, with the options. */
	readonly given: readonly { readonly mail: Mail; readonly options: RouteOptions }[];
	readonly rehearsed: readonly Mail[];
	/** From now on, all emails have this outcome, after so many milliseconds of `timing`. */
	meet(outcome: RouteOutcome, after?: number): void;
	/** From now on, no email is answered in its time. */
	hang(delivery?: 'refused' | 'unknown'): void;
	/** The next email fails with an error. */
	break(error: Error): void;
}

export const failed = (
	step: MailStep,
	code: string,
	delivery: 'refused' | 'unknown' | 'rejected' | 'bounced' = 'refused'
): RouteOutcome => ({ delivery, step, code, reason: code });

export const SENT: RouteOutcome = { delivery: 'sent', reply: '250 ok' };

/** A way to a mail server that exists only in time. */
export const scriptedRoute = (timing: Timing): ScriptedRoute => {
	const given: { mail: Mail; options: RouteOptions }[] = [];
	const rehearsed: Mail[] = [];
	let broken: Error | null = null;
	let next: { readonly outcome: RouteOutcome; readonly after: number } = {
		outcome: SENT,
		after: 0
	};
	return {
		given,
		rehearsed,
		post: (mail, options) => {
			given.push({ mail, options });
			const error = broken;
			broken = null;
			if (error !== null) return Promise.reject(error);
			const within = options.within ?? Infinity;
			const isLate = next.after > within;
			const outcome =
				isLate && next.after < Infinity ? failed('deadline', 'ETIMEDOUT') : next.outcome;
			const takes = Math.min(next.after, within);
			if (takes === 0) return Promise.resolve(outcome);
			return new Promise((resolve) => timing.after(takes, () => resolve(outcome)));
		},
		rehearse: async (mail) => void rehearsed.push(mail),
		hurry: () => undefined,
		close: () => undefined,
		meet: (outcome, after = 0) => {
			next = { outcome, after };
		},
		hang: (delivery = 'refused') => {
			next = { outcome: failed('deadline', 'ETIMEDOUT', delivery), after: Infinity };
		},
		break: (error) => {
			broken = error;
		}
	};
};
