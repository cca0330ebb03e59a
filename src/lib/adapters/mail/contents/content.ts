import type { Mail } from '#lib/domain/index.ts';
import type { Messages } from '#lib/messages/messages.ts';
import type { MailTemplate, TemplateValues } from '../render-template.ts';

/**
 * The content of one email: its template, and the values of placeholders that other emails lack.
 */
export interface Content {
	readonly template: MailTemplate;
	readonly subject: string;
	readonly values: TemplateValues;
}

/** What all emails need to be written. */
export interface Wording {
	/** The name of the site. */
	readonly site: string;
	readonly origin: string;
	readonly signInLayout: 'split' | 'single';
	readonly messages: Messages;
}

/** The emails of one kind. */
export type MailOf<K extends Mail['kind']> = Extract<Mail, { readonly kind: K }>;

/** A duration in words, rounded down so that no email promises too much. */
export const lifetimeText = ({ mail }: Messages, seconds: number): string =>
	mail.time(Math.max(1, Math.floor(seconds / 60)));
