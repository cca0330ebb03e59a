import type { Code } from '../sign-in/code.ts';
import type { Email } from '../email.ts';
import type { LinkToken } from '../secret.ts';
import type { Device } from '../sessions/session.ts';

/** Shown in the email, so that its reader can recognise the request. */
interface RequestDetails {
	/** When the request was made. */
	readonly at: Date;
	/** The device that made the request. */
	readonly device: Device;
}

export type Mail =
	| (RequestDetails & {
			readonly kind: 'sign_in_code' | 'email_verification_code';
			readonly to: Email;
			readonly code: Code;
			/** The lifetime of the code, in seconds. */
			readonly lifetime: number;
	  })
	| (RequestDetails & {
			readonly kind: 'email_change_code';
			readonly to: Email;
			/**
			 * The account that requested the change. It lets the reader refuse to confirm another
			 * user's change.
			 */
			readonly account: Email;
			readonly code: Code;
			readonly lifetime: number;
	  })
	| (RequestDetails & {
			readonly kind: 'email_change_link';
			readonly to: Email;
			readonly account: Email;
			readonly token: LinkToken;
			/** Where to redirect the user after confirmation. It is checked again at that time. */
			readonly callbackUrl: string | null;
			readonly lifetime: number;
	  })
	| (RequestDetails & {
			readonly kind: 'reauthentication_code';
			readonly to: Email;
			/** The requested address. It lets the owner refuse to confirm another person's request. */
			readonly newEmail: Email;
			readonly code: Code;
			readonly lifetime: number;
	  })
	| {
			readonly kind: 'email_change_notice';
			/** The previous address of the account. */
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
			/** The account can be restored until this time. */
			readonly purgeAt: Date;
			readonly device: Device;
	  }
	| { readonly kind: 'welcome'; readonly to: Email };

/**
 * `refused`: the email was certainly not sent and never will be. `unknown`: it may have been sent,
 * because its text may have reached the mail server; where a request waits, it counts as sent.
 * `busy`: it was certainly not sent and never will be, because too many other emails wait for the
 * mail server.
 */
export type Delivery = 'sent' | 'refused' | 'unknown' | 'busy';

/**
 * Sends one email to one address while a request waits. A failure of the mail server is returned
 * as an outcome, not thrown.
 */
export interface Mailer {
	send(mail: Mail): Promise<Delivery>;
}
