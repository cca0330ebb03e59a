import type { EmailId } from '#lib/domain/ids.ts';
import { isFinal, type Delivery, type Mail } from '#lib/domain/mail.ts';
import type { Timing } from '../delivery/usual-duration.ts';
import { eventOf, type MailEvent, type MailSentEvent, type SmtpMailer } from '../smtp-mailer.ts';
import type { MailRoute } from '../smtp-route.ts';
import type { ProviderHealth } from './provider-health.ts';
import type { ProviderName, ResendMemory } from './resend-memory.ts';

/** A mail provider as one of two. */
export interface Provider {
	readonly name: ProviderName;
	/** The log names it, such as `smtp.resend.com`. */
	readonly host: string;
	readonly route: MailRoute;
	readonly health: ProviderHealth;
}

/**
 * One attempt at one provider, without address and content. All attempts to send an email have one
 * `id`, which is in its Message-ID.
 */
export type AttemptEvent = (MailEvent | MailSentEvent) & {
	readonly provider: ProviderName;
	readonly host: string;
	readonly id: EmailId;
};

export interface FallbackSettings {
	readonly primary: Provider;
	readonly fallback: Provider;
	readonly resends: ResendMemory;
	/** For both attempts together, in milliseconds. */
	readonly deadline: number;
	/** How long the first of two providers may take. */
	readonly firstWithin: number;
	readonly nextId: () => EmailId;
	readonly timing: Timing;
	readonly log: (event: AttemptEvent) => void;
}

/** With less time than this, in milliseconds, no second attempt begins. */
const TOO_SHORT = 1_000;

/**
 * Sends each email by one of two providers. When the first refuses it, fails, or does not take it in
 * time, the second gets the same email: the same code and the same Message-ID. So either email works
 * if both arrive, and many mailboxes show them once.
 *
 * The primary provider is the first, unless it is skipped. A code that is requested again before the
 * earlier one was used is sent through the other provider first.
 */
export const fallbackMailer = (settings: FallbackSettings): SmtpMailer => {
	const { primary, fallback, resends, timing, log } = settings;
	const both = [primary, fallback] as const;
	/** The providers that the last email was handed to. */
	let usual: readonly Provider[] = [primary];

	const inOrder = (mail: Mail): readonly [Provider, Provider] => {
		const isOther = resends.earlierOf(mail) === 'primary';
		const [first, second] = isOther ? [fallback, primary] : both;
		return first.health.isSkipped() && !second.health.isSkipped()
			? [second, first]
			: [first, second];
	};

	const attempt = async (
		mail: Mail,
		{ name, host, route, health }: Provider,
		options: { readonly id: EmailId; readonly within: number }
	): Promise<Delivery> => {
		const judge = health.begin(mail.to.slice(mail.to.lastIndexOf('@') + 1));
		const outcome = await route.post(mail, options).catch((error: unknown) => {
			// It says nothing about the provider. Without an end, its trial would go on for ever.
			judge({ delivery: 'busy', waiting: 0 });
			throw error;
		});
		judge(outcome);
		const event = eventOf(mail, outcome) ?? { mail: mail.kind, delivery: 'sent' as const };
		log({ ...event, provider: name, host, id: options.id });
		if (mayArrive(outcome.delivery)) resends.remember(mail, name);
		return outcome.delivery;
	};

	return {
		send: async (mail, id = settings.nextId()) => {
			const began = timing.now();
			const [first, second] = inOrder(mail);
			// Without another provider that works, the first may use the whole time.
			const isAlone = second.health.isSkipped() && !first.health.isSkipped();
			const within = isAlone ? settings.deadline : settings.firstWithin;
			usual = [first];
			const delivery = await attempt(mail, first, { id, within });
			const left = settings.deadline - (timing.now() - began);
			if (delivery === 'sent' || left < TOO_SHORT) return delivery;
			// A skipped provider is the last resort, not for emails that the other one never takes. It may
			// take them when it works again, so they are not rejected for good. An address that does not
			// exist is the same for both.
			if (isFinal(delivery) && second.health.isSkipped()) {
				return delivery === 'bounced' ? 'bounced' : 'refused';
			}
			usual = [first, second];
			return together(delivery, await attempt(mail, second, { id, within: left }));
		},
		rehearse: async (mail) => {
			for (const { route } of usual) await route.rehearse(mail);
		},
		hurry: (patience) => both.forEach(({ route }) => route.hurry(patience)),
		close: () => both.forEach(({ route }) => route.close())
	};
};

const mayArrive = (delivery: Delivery): boolean => delivery === 'sent' || delivery === 'unknown';

/** From the best outcome for the recipient to the worst. */
const BEST_FIRST = ['sent', 'unknown', 'busy', 'refused', 'rejected', 'bounced'] as const;

/** The outcome of two attempts. Rejected for good only if both providers did. */
const together = (one: Delivery, other: Delivery): Delivery =>
	BEST_FIRST.find((delivery) => delivery === one || delivery === other) ?? one;
