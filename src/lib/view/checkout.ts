import type { SuperValidated } from 'sveltekit-superforms';
import type { PendingCodeView } from './sign-in.ts';

export interface CheckoutPage {
	readonly product: string;
	/** The email address of the purchase, masked: a person with the link may not be its owner. */
	readonly boughtWith: string;
	/** What the visitor can do with the purchase now. */
	readonly step: 'done' | 'taken' | 'claim' | 'send' | 'code';
	readonly pendingCode: PendingCodeView | null;
	readonly resent: boolean;
	/** The query that identifies the purchase. Add it to every action. */
	readonly keepQuery: string;
	readonly sendForm: SuperValidated<{ email: string }>;
	readonly codeForm: SuperValidated<{ email: string; code: string }>;
	readonly resendForm: SuperValidated<{ email: string }>;
}
