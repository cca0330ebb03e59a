import type { Background } from '../background.ts';
import { deliverOrThrow } from '../delivery/deliver.ts';
import type { AnyMail, RequestDetails } from '../delivery/mailer.ts';
import type { OutboxOf } from '../delivery/outbox.ts';
import type { Signer } from '../signer.ts';
import type { SignedIn } from '../sessions/session.ts';
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
	readonly background: Background;
	/** Whether this installation sends these notices. */
	readonly newDeviceNotices: boolean;
}

/** Sends the notice. It neither delays nor fails the sign-in. */
export const reportNewDevice = (
	{ outbox, newDeviceSigner, background }: NewDeviceNoticeDeps,
	{ user, session }: SignedIn,
	change: DeviceChange | null
): void => {
	const { id, ipAddress, userAgent, createdAt } = session;
	const signIn = { session: id, device: change && change.id };
	const mail: NewDeviceMail = {
		kind: 'new_device',
		to: user.email,
		token: newDeviceToken(newDeviceSigner, signIn),
		hasKey: change !== null,
		at: createdAt,
		device: { ipAddress, userAgent }
	};
	background.run('new device notice', () => deliverOrThrow(outbox, mail));
};
