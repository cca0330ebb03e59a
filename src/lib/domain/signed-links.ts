import type { Brand, DeviceId, SessionId, UndoId } from './ids.ts';
import type { Signer } from './ports.ts';
import { SECRET, tokenParser } from './secret.ts';

/** In a link that confirms an email change. Sent once, and stored only as a keyed signature. */
export type ChangeLinkToken = Brand<string, 'ChangeLinkToken'>;

/** A secret, and a signature after it. */
const CHANGE_LINK_TOKEN = new RegExp(`${SECRET.source.slice(0, -1)}[A-Za-z0-9_-]{43}$`);

export const parseChangeLinkToken = tokenParser<ChangeLinkToken>(CHANGE_LINK_TOKEN);

/** The token in the link that undoes an email change. It signs nobody in. */
export type UndoToken = Brand<string, 'UndoToken'>;

/** Starts with the kind, so that no link of another kind has the same signature. */
const undoText = (id: string): string => JSON.stringify(['undo', id]);

/** Nobody can make a link from the stored id alone. */
export const undoToken = (signer: Signer, id: UndoId): UndoToken =>
	`${id}.${signer.sign(undoText(id))}` as UndoToken;

/** Null for any text that is no token of ours. */
export const undoIdOf = (signer: Signer, text: string): UndoId | null => {
	const [id = '', signature = '', ...rest] = text.split('.');
	return rest.length === 0 && signer.verify(signature, undoText(id)) ? (id as UndoId) : null;
};

/**
 * The token in the link of a notice about a new device. It signs this device out. It can do nothing
 * else. It never expires, because a session can last as long as it is used.
 */
export type NewDeviceToken = Brand<string, 'NewDeviceToken'>;

interface NewDeviceSignIn {
	readonly session: SessionId;
	/** Null for a client that keeps no key. */
	readonly device: DeviceId | null;
}

const newDeviceText = (session: string, device: string): string =>
	JSON.stringify(['new device', session, device]);

/** The token holds all that the link is for, so nothing has to be stored. */
export const newDeviceToken = (
	signer: Signer,
	{ session, device }: NewDeviceSignIn
): NewDeviceToken => {
	const id = device ?? '';
	return [session, id, signer.sign(newDeviceText(session, id))].join('.') as NewDeviceToken;
};

export const verifyNewDeviceToken = (signer: Signer, text: string): NewDeviceSignIn | null => {
	const [session = '', device = '', signature = '', ...rest] = text.split('.');
	if (rest.length > 0 || !signer.verify(signature, newDeviceText(session, device))) return null;
	return { session: session as SessionId, device: device === '' ? null : (device as DeviceId) };
};
