import { channel } from 'node:diagnostics_channel';
import type { Delivery, Mail } from '#lib/domain/index.ts';

export interface GivenMail {
	readonly mail: Mail;
	readonly delivery: Delivery;
}

export interface SentMail extends GivenMail {
	/** Numbered from one, in the order of sending. */
	readonly id: number;
	readonly at: Date;
}

const KEPT = 50;

/**
 * A channel of Node, because the application and its development server load this module
 * separately.
 */
const given = channel('postern.mail.given');

export const announce = (mail: GivenMail): void => given.publish(mail);

/** Keeps the last emails of this process, newest first. */
export const keepSentMails = (now: () => Date): (() => readonly SentMail[]) => {
	let sent: readonly SentMail[] = [];
	given.subscribe((message) => {
		const id = (sent[0]?.id ?? 0) + 1;
		sent = [{ ...(message as GivenMail), id, at: now() }, ...sent].slice(0, KEPT);
	});
	return () => sent;
};
