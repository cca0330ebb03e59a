import type { Email, Mail } from '#lib/domain/index.ts';

/** A link that proves an address: to sign up with it, or to move an account to it. */
export interface EmailVerification {
	readonly kind: 'email_verification';
	readonly to: Email;
	readonly url: string;
	/** How long the link lives, in seconds. */
	readonly lifetime: number;
	/** The account that asks to move here, so that nobody confirms somebody else's change; null for a sign-up. */
	readonly account: Email | null;
}

/** Tells the current address about a change, so that its owner can object. It holds no link that does anything. */
export interface AddressChanged {
	readonly kind: 'address_changed';
	readonly to: Email;
	readonly newEmail: Email;
	readonly stage: 'requested' | 'completed';
	readonly at: Date;
}

/** Proves to an operator that mail arrives. */
export interface MailCheck {
	readonly kind: 'mail_check';
	readonly to: Email;
}

/** Everything that can be put into words. */
export type Letter = Mail | EmailVerification | AddressChanged | MailCheck;

export interface RenderedLetter {
	readonly subject: string;
	readonly html: string;
	readonly text: string;
}

export type RenderLetter = (letter: Letter) => RenderedLetter;
