import type { Email } from '../email.ts';
import type { Device } from '../sessions/session.ts';

/** A change of address, as its current owner should learn of it. */
export interface ChangeNotice {
	/** The address the account has had, and where the notice goes. */
	readonly from: Email;
	readonly to: Email;
	readonly at: Date;
	/** Where it was asked for or confirmed. */
	readonly device: Device;
}

/** Tells the current address about changes. An application may put its own way in place. */
export interface ChangeNotices {
	/** A change by link was asked for; nothing has changed yet. */
	requested(notice: ChangeNotice): Promise<void>;
	/** The account has moved. */
	completed(notice: ChangeNotice): Promise<void>;
}
