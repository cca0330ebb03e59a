import type { Code } from '../code.ts';
import type { Email } from '../email.ts';

export type Mail =
	| {
			readonly kind: 'sign_in_code';
			readonly to: Email;
			readonly code: Code;
			/** How long the code lives, in seconds. */
			readonly lifetime: number;
	  }
	| { readonly kind: 'welcome'; readonly to: Email };

/** `refused`: the mail is certainly not on its way. `unknown`: it may be. */
export type Delivery = 'sent' | 'refused' | 'unknown';

/** Hands one mail to one address. Trouble with the mail server is an outcome, not a fault. */
export interface Mailer {
	send(mail: Mail): Promise<Delivery>;
}
