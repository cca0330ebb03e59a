import type { Brand } from '../brand.ts';
import type { DeviceId, SessionId } from '../ids.ts';
import type { Signer } from '../signer.ts';

/**
 * The token in the link of a notice about a new device. It signs this device out. It can do nothing
 * else. It never expires, because a session can last as long as it is used.
 */
export type NewDeviceToken = Brand<string, 'NewDeviceToken'>;

/** A sign-in that was reported to the owner of the account. */
export interface ReportedSignIn {
	readonly session: SessionId;
	/** Null for a client that keeps no key. */
	readonly device: DeviceId | null;
}

/** No link of another kind has such a text. */
const signedText = (session: string, device: string): string =>
	JSON.stringify(['new device', session, device]);

/** The token holds all that the link is for, so nothing has to be stored. */
export const newDeviceToken = (
	signer: Signer,
	{ session, device }: ReportedSignIn
): NewDeviceToken => {
	const id = device ?? '';
	return [session, id, signer.sign(signedText(session, id))].join('.') as NewDeviceToken;
};

/** The sign-in of a link. Null for any text that is no token of ours. */
export const reportedSignIn = (signer: Signer, text: string): ReportedSignIn | null => {
	const [session, device, signature, ...rest] = text.split('.');
	if (session === undefined || device === undefined || signature === undefined) return null;
	if (rest.length > 0 || !signer.verify(signature, signedText(session, device))) return null;
	return { session: session as SessionId, device: device === '' ? null : (device as DeviceId) };
};
