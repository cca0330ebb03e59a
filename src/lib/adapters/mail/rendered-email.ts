import type { Email, Mail } from '#lib/domain/index.ts';

/** A test email with which operators check their mail settings. */
export interface MailCheck {
	readonly kind: 'mail_check';
	readonly to: Email;
}

/** Everything that can be rendered as an email. */
export type OutgoingEmail = Mail | MailCheck;

export interface RenderedEmail {
	readonly subject: string;
	readonly html: string;
	readonly text: string;
}

export type RenderEmail = (email: OutgoingEmail) => RenderedEmail;
