import type { Code } from '../code.ts';
import type { Email } from '../email.ts';
import type { LinkToken } from '../secret.ts';
import type { Device } from '../session.ts';

/** Told in the mail, so that its reader can see whether it was them who asked. */
interface Asked {
	/** When it was asked for. */
	readonly at: Date;
	/** From where. */
	readonly device: Device;
}

export type Mail =
	| (Asked & {
			readonly kind: 'sign_in_code' | 'email_verification_code';
			readonly to: Email;
			readonly code: Code;
			/** How long the code lives, in seconds. */
			readonly lifetime: number;
	  })
	| (Asked & {
			readonly kind: 'email_change_code';
			/** The new address. */
			readonly to: Email;
			/** The account that asks to move, so that nobody confirms somebody else's change. */
			readonly account: Email;
			readonly code: Code;
			readonly lifetime: number;
	  })
	| (Asked & {
			readonly kind: 'email_change_link';
			readonly to: Email;
			readonly account: Email;
			readonly token: LinkToken;
			/** Where the person wants to be led afterwards; to be judged again when they are. */
			readonly callbackUrl: string | null;
			readonly lifetime: number;
	  })
	| (Asked & {
			readonly kind: 'reauthentication_code';
			/** The current address of the account. */
			readonly to: Email;
			/** Where the account is to move, so that its owner does not confirm another person's request. */
			readonly newEmail: Email;
			readonly code: Code;
			readonly lifetime: number;
	  })
	| {
			readonly kind: 'email_change_notice';
			/** The address the account has had. */
			readonly to: Email;
			readonly newEmail: Email;
			readonly stage: 'requested' | 'completed';
			readonly at: Date;
			readonly device: Device;
	  }
	| {
			readonly kind: 'account_deleted';
			readonly to: Email;
			readonly at: Date;
			/** From when on it cannot be restored. */
			readonly purgeAt: Date;
			readonly device: Device;
	  }
	| { readonly kind: 'welcome'; readonly to: Email };

/**
 * `refused`: the email is certainly not on its way and never will be. `unknown`: it may be, as its
 * text may have begun to go to the mail server; where a request waits, it counts as sent. `busy`: it
 * is certainly not on its way and never will be, because too many others wait for the mail server.
 */
export type Delivery = 'sent' | 'refused' | 'unknown' | 'busy';

/** Hands one mail to one address while a request waits. Trouble with the mail server is an outcome, not a fault. */
export interface Mailer {
	send(mail: Mail): Promise<Delivery>;
}
