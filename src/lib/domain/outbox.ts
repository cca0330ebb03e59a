import type { MailId, Ids } from './ids.ts';
import type { Mail } from './mail.ts';
import type { AuthPolicy } from './policy.ts';
import type { Sealer } from './ports.ts';
import { secondsAfter } from './time.ts';

interface OutboxPlan {
	readonly now: Date;
	/** The keys take turns, so that many emails with one key do not delay those with another. */
	readonly fairnessKey: string;
	readonly onlyIf?: RecipientCondition;
}

/**
 * Prepares emails that are sent after the response. The caller stores them together with the change
 * that they report, then wakes the worker of this process.
 */
export interface Outbox {
	prepare(mail: Mail, plan: OutboxPlan): OutboxRow;
	/** Tells the worker to send the stored emails soon. Returns at once and never throws. */
	wake(): void;
}

interface OutboxDeps {
	readonly mailSealer: Sealer;
	readonly ids: Ids;
	readonly policy: AuthPolicy;
	readonly wake: () => void;
}

export const makeOutbox = (deps: OutboxDeps): Outbox => ({
	prepare: (mail, { now, fairnessKey, onlyIf = null }) => {
		const id = deps.ids.next() as MailId;
		return {
			id,
			lane: onlyIf === null ? 'unconditional' : 'conditional',
			fairnessKey,
			kind: mail.kind,
			content: sealMail(deps.mailSealer, id, { mail, onlyIf }),
			queuedAt: now,
			expiresAt: usefulUntil(mail, now, deps.policy)
		};
	},
	wake: deps.wake
});

/** A code or link must arrive while there is time to use it. Other emails stay useful. */
const usefulUntil = (mail: Mail, now: Date, { delivery }: AuthPolicy): Date | null =>
	mail.lifetime === undefined ? null : secondsAfter(now, mail.lifetime - delivery.stopBeforeExpiry);

/** `conditional`: only some recipients get the email, such as those who have an account. */
export type OutboxLane = 'unconditional' | 'conditional';

export interface OutboxRow {
	readonly id: MailId;
	readonly lane: OutboxLane;
	readonly fairnessKey: string;
	readonly kind: string;
	/** The sealed email. Empty once it was wiped. */
	readonly content: string;
	readonly queuedAt: Date;
	/** From this time on, the content is worthless. Null if it stays useful. */
	readonly expiresAt: Date | null;
}

/**
 * Which recipients get a conditional email: by their account, at the time of sending. For `account`,
 * a reserved email address counts as one with an account.
 */
type RecipientCondition = 'account' | 'active_account' | 'no_account';

export interface MailToSend {
	readonly mail: Mail;
	/** Null for an email that is sent in any case. */
	readonly onlyIf: RecipientCondition | null;
}

/** The seal includes the id, so a content cannot be moved to another row. */
const contextOf = (id: MailId): string => `email ${id}`;

/** How JSON holds a time. No other object in an email has only this field. */
interface TimeText {
	readonly time: number;
}

/** A replacer for `JSON.stringify`: `value` is already text, and `this[name]` still the `Date`. */
const writeTime = function (this: Record<string, unknown>, name: string, value: unknown): unknown {
	const held = this[name];
	return held instanceof Date ? ({ time: held.getTime() } satisfies TimeText) : value;
};

const readTime = (_: string, value: unknown): unknown =>
	typeof value === 'object' && value !== null && Object.keys(value).join() === 'time'
		? new Date((value as TimeText).time)
		: value;

export const sealMail = (sealer: Sealer, id: MailId, toSend: MailToSend): string =>
	sealer.seal(JSON.stringify(toSend, writeTime), contextOf(id));

/** Null when the content was sealed for another row, or under a secret that is not configured. */
export const openMail = (
	sealer: Sealer,
	{ id, content }: { readonly id: MailId; readonly content: string }
): MailToSend | null => {
	const text = sealer.open(content, contextOf(id));
	// Only `sealMail` makes texts that open.
	return text === null ? null : (JSON.parse(text, readTime) as MailToSend);
};
