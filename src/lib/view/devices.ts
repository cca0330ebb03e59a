import type { ShownSession } from './sessions.ts';

/** The page of the link in a notice about a new device. `unknown`: the link is not one of ours. */
export interface NewDevicePage {
	readonly state: 'asks' | 'done' | 'unknown';
	/** The session on the device, while it is signed in. */
	readonly session: ShownSession | null;
}
