import type { RequestSource } from './client.ts';
import type { Email } from './email.ts';
import type { MailId } from './ids.ts';
import type { Code } from './secret.ts';
import type { ChangeLinkToken, NewDeviceToken, UndoToken } from './signed-links.ts';

/** What every email has, and what several kinds have in common. */
export interface AnyMail {
	readonly kind: string;
	readonly to: Email;
	/** When it was requested. */
	readonly at?: Date;
	/** Where the request came from. Networks take turns while emails wait for the mail server. */
	readonly source?: RequestSource | null;
	/** Gives access, like the tokens of links. */
	readonly code?: Code;
	readonly token?: ChangeLinkToken | NewDeviceToken;
	readonly undoToken?: UndoToken | null;
	/** The lifetime of its code or link, in seconds. Afterwards, the email is worthless. */
	readonly lifetime?: number;
}

/** Shows when and where it was requested, so that its reader can recognise the request. */
interface RequestedMail extends AnyMail {
	readonly at: Date;
	readonly source: RequestSource;
}

export type Delivery =
	| 'sent'
	/** Another attempt may succeed. */
	| 'not_sent'
	/** The mail server may have it. Where a request waits, it counts as sent. */
	| 'unknown'
	/** Too many others wait. Another attempt may succeed. */
	| 'busy'
	/** Another attempt would end the same. */
	| 'rejected'
	/** Rejected because of its email address. */
	| 'bounced';

export const isFinal = (delivery: Delivery): boolean =>
	delivery === 'rejected' || delivery === 'bounced';

export interface RequestedCodeMail extends RequestedMail {
	readonly kind: 'sign_in_code' | 'email_verification_code';
	readonly code: Code;
	readonly lifetime: number;
}

interface WelcomeMail extends AnyMail {
	readonly kind: 'welcome';
}

/** Tells the owner of an account about a sign-in on a device that the account does not know. */
export interface NewDeviceMail extends RequestedMail {
	readonly kind: 'new_device';
	/** Signs the device out. */
	readonly token: NewDeviceToken;
	/** Without a key the device cannot be recognised, and is reported at most once a day. */
	readonly hasKey: boolean;
}

interface ReauthenticationCodeMail extends RequestedMail {
	readonly kind: 'reauthentication_code';
	/** The requested email address. It lets the owner refuse to confirm another person's request. */
	readonly newEmail: Email;
	readonly code: Code;
	readonly lifetime: number;
}

interface NewEmailMail extends RequestedMail {
	/** The account that requested it, so that its reader can refuse another user's change. */
	readonly account: Email;
	readonly lifetime: number;
}

/** Sent to the new email address. */
export type EmailChangeMail =
	| (NewEmailMail & { readonly kind: 'email_change_code'; readonly code: Code })
	| (NewEmailMail & {
			readonly kind: 'email_change_link';
			readonly token: ChangeLinkToken;
			/** Where to redirect the user after confirmation. It is checked again at that time. */
			readonly callbackUrl: string | null;
	  });

/** `requested`: a change by link was requested, and nothing has changed yet. */
export type NoticeStage = 'requested' | 'completed';

/** A notice of an email change, to the email address before the change. */
export interface EmailChangeNoticeMail extends RequestedMail {
	readonly kind: 'email_change_notice';
	readonly newEmail: Email;
	readonly stage: NoticeStage;
	/** Undoes the change. Null when nothing can be undone. */
	readonly undoToken: UndoToken | null;
	readonly undoUntil: Date | null;
}

export const NO_UNDO = { undoToken: null, undoUntil: null } as const;

/** Sent to the email address that the account leaves. */
interface EmailChangeUndoneMail extends RequestedMail {
	readonly kind: 'email_change_undone';
	/** The email address that the account has again. */
	readonly oldEmail: Email;
}

/** Says how to restore the account. */
interface AccountDeletedMail extends AnyMail {
	readonly kind: 'account_deleted';
	readonly at: Date;
	/** Where the request came from. Null for an operator. */
	readonly source: RequestSource | null;
	/** The account can be restored until this time. */
	readonly purgeAt: Date;
}

/** Sent to the new email address of an account that an operator moves there. */
interface OperatorEmailChangeCodeMail
	extends Pick<AnyMail, 'source'>, Omit<NewEmailMail, 'source'> {
	readonly kind: 'operator_email_change_code';
	readonly code: Code;
}

/** Sent to both email addresses of an account that an operator moved. Only the old one can undo it. */
interface OperatorEmailChangeNoticeMail
	extends Pick<AnyMail, 'source'>, Omit<EmailChangeNoticeMail, 'kind' | 'stage' | 'source'> {
	readonly kind: 'operator_email_change_notice';
	readonly oldEmail: Email;
}

export type Mail =
	| RequestedCodeMail
	| WelcomeMail
	| NewDeviceMail
	| ReauthenticationCodeMail
	| EmailChangeMail
	| EmailChangeNoticeMail
	| EmailChangeUndoneMail
	| AccountDeletedMail
	| OperatorEmailChangeCodeMail
	| OperatorEmailChangeNoticeMail;

/**
 * Sends one email to one mailbox. A failure of the mail server is returned as an outcome, not
 * thrown. Every attempt to send an email of the outbox has the same `id`.
 */
export interface Mailer {
	send(mail: Mail, id?: MailId): Promise<Delivery>;
}
