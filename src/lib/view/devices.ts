import type { ShownSession } from './sessions.ts';

/**
 * The page of the link in a notice about a new device. `ended`: the session of a client without a key
 * has ended, which does not show that the client is signed out. `unknown`: the link is not one of ours.
 */
export interface NewDevicePage {
	readonly state: 'asks' | 'done' | 'ended' | 'unknown';
	/** The session on the device, while it is signed in. */
	readonly session: ShownSession | null;
}
