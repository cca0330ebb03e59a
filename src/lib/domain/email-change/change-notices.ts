import type { Email } from '../email.ts';
import type { AnyMail, RequestDetails } from '../delivery/mailer.ts';
import type { Device } from '../sessions/session.ts';

/** An email change, as its notice to the current address describes it. */
export interface ChangeNotice {
	/** The address before the change. The notice goes there. */
	readonly from: Email;
	readonly to: Email;
	readonly at: Date;
	/** The device that requested or confirmed the change. */
	readonly device: Device;
}

/** Notifies the current address of changes. An application can replace it with its own. */
export interface ChangeNotices {
	/** A change by link was requested. Nothing has changed yet. */
	requested(notice: ChangeNotice): Promise<void>;
	/** The account has the new address. */
	completed(notice: ChangeNotice): Promise<void>;
}

/** A notice as an email to the previous address of the account. */
export interface ChangeNoticeMail extends AnyMail, RequestDetails {
	readonly kind: 'email_change_notice';
	readonly newEmail: Email;
	readonly stage: 'requested' | 'completed';
}
