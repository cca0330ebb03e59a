import type { Email, Mail } from '#lib/domain/index.ts';

/** Proves to an operator that mail arrives. */
export interface MailCheck {
	readonly kind: 'mail_check';
	readonly to: Email;
}

/** Everything that can be put into words. */
export type Letter = Mail | MailCheck;

export interface RenderedLetter {
	readonly subject: string;
	readonly html: string;
	readonly text: string;
}

export type RenderLetter = (letter: Letter) => RenderedLetter;
