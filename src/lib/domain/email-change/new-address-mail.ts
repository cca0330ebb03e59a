import type { AnyMail, RequestDetails } from '../delivery/mailer.ts';
import type { Email } from '../email.ts';
import type { LinkToken } from '../secret.ts';
import type { Code } from '../sign-in/code.ts';

interface NewAddressMail extends AnyMail, RequestDetails {
	/**
	 * The account that requested the change. It lets the reader refuse to confirm another user's
	 * change.
	 */
	readonly account: Email;
	/** The lifetime of the code or link, in seconds. */
	readonly lifetime: number;
}

/** Sent to the new address. */
export type EmailChangeMail =
	| (NewAddressMail & { readonly kind: 'email_change_code'; readonly code: Code })
	| (NewAddressMail & {
			readonly kind: 'email_change_link';
			readonly token: LinkToken;
			/** Where to redirect the user after confirmation. It is checked again at that time. */
			readonly callbackUrl: string | null;
	  });
