import type { AnyMail, RequestDetails } from '../delivery/mailer.ts';
import type { OutboxOf } from '../delivery/outbox.ts';
import type { OutboxRow } from '../delivery/outbox-rows.ts';
import type { Email } from '../email.ts';
import type { Signer } from '../signer.ts';
import type { NewSession } from '../sessions/session.ts';
import type { DeviceChange } from './device.ts';
import { newDeviceToken, type NewDeviceToken } from './new-device-link.ts';

/** Tells the owner of an account about a sign-in on a device that the account does not know. */
export interface NewDeviceMail extends AnyMail, RequestDetails {
	readonly kind: 'new_device';
	/** Signs the device out. */
	readonly token: NewDeviceToken;
	/** Without a key the device cannot be recognised, and is reported at most once a day. */
	readonly hasKey: boolean;
}

export interface NewDeviceNoticeDeps {
	readonly outbox: OutboxOf<NewDeviceMail>;
	readonly newDeviceSigner: Signer;
	/** Whether this installation sends these notices. */
	readonly newDeviceNotices: boolean;
}

/**
 * The notice to store with a sign-in, if it turns out to be on a new device. Empty where none are
 * sent. Emails of one `queue` take turns with those of others.
 */
export const newDeviceEmails = (
	{ outbox, newDeviceSigner, newDeviceNotices }: NewDeviceNoticeDeps,
	to: Email,
	{ id, ipAddress, userAgent, createdAt }: NewSession,
	change: DeviceChange | null,
	queue: string
): readonly OutboxRow[] => {
	if (!newDeviceNotices) return [];
	const mail: NewDeviceMail = {
		kind: 'new_device',
		to,
		token: newDeviceToken(newDeviceSigner, { session: id, device: change && change.id }),
		hasKey: change !== null,
		at: createdAt,
		device: { ipAddress, userAgent }
	};
	return [outbox.prepare(mail, { now: createdAt, queue })];
};
