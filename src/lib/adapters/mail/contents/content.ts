import type { Mail } from '#lib/domain/index.ts';
import type { Messages } from '#lib/messages/messages.ts';
import type { MailTemplate, TemplateValues } from '../render-template.ts';

/** What one mail says: its template, and the values of the placeholders that not every mail has. */
export interface Content {
	readonly template: MailTemplate;
	readonly subject: string;
	readonly values: TemplateValues;
}

/** What every mail is written with. */
export interface Wording {
	/** The name of the site. */
	readonly site: string;
	readonly origin: string;
	readonly entry: 'split' | 'single';
	readonly messages: Messages;
}

/** The mails of one kind. */
export type MailOf<K extends Mail['kind']> = Extract<Mail, { readonly kind: K }>;

/** A lifetime in words, rounded down so that no mail promises too much. */
export const lifetimeIn = ({ mail }: Messages, seconds: number): string =>
	mail.time(Math.max(1, Math.floor(seconds / 60)));
