import type { EmailId } from '../ids.ts';
import type { Sealer } from '../sealer.ts';
import type { AnyMail } from './mailer.ts';

/**
 * Which recipients get a conditional email: by their account, at the time of sending. A reserved
 * address counts as one with an account.
 */
export type Condition = 'account' | 'active_account' | 'no_account';

export interface EmailToSend<M extends AnyMail> {
	readonly mail: M;
	/** Null for an email that is sent in any case. */
	readonly onlyIf: Condition | null;
}

/** The row is part of the seal, so a content cannot be moved to another row. */
const contextOf = (id: EmailId): string => `email ${id}`;

/** JSON has no times. They are the only objects with this one field. */
interface TimeText {
	readonly time: number;
}

const isTime = (value: unknown): value is TimeText =>
	typeof value === 'object' && value !== null && 'time' in value;

export const sealEmail = <M extends AnyMail>(
	sealer: Sealer,
	id: EmailId,
	{ mail, onlyIf }: EmailToSend<M>
): string => {
	const fields = Object.entries(mail).map(([name, value]: [string, unknown]) => [
		name,
		value instanceof Date ? { time: value.getTime() } : value
	]);
	const text = JSON.stringify({ mail: Object.fromEntries(fields) as object, onlyIf });
	return sealer.seal(text, contextOf(id));
};

/** Null when the content was sealed for another row, or under a secret that is not configured. */
export const openEmail = <M extends AnyMail>(
	sealer: Sealer,
	{ id, content }: { readonly id: EmailId; readonly content: string }
): EmailToSend<M> | null => {
	const text = sealer.open(content, contextOf(id));
	if (text === null) return null;
	// Only `sealEmail` makes texts that open.
	const { mail, onlyIf } = JSON.parse(text) as { mail: object; onlyIf: Condition | null };
	const fields = Object.entries(mail).map(([name, value]: [string, unknown]) => [
		name,
		isTime(value) ? new Date(value.time) : value
	]);
	return { mail: Object.fromEntries(fields) as M, onlyIf };
};
