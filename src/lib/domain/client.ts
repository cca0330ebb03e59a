import type { Brand } from './ids.ts';
import { storable } from './user.ts';

/**
 * The network of a client (an IPv4 /24 or an IPv6 /48), as a keyed hash. Two clients of one network
 * have the same text, and the text does not show which network it is.
 */
export type Network = Brand<string, 'Network'>;

/** Where a request came from. Shown to the owner of the session, and never trusted. */
export interface RequestSource {
	readonly ipAddress: string;
	readonly userAgent: string;
}

/** Longer user agents are cut. What identifies a device is near the start. */
export const MAX_USER_AGENT = 512;

export const storableUserAgent = (userAgent: string): string =>
	storable(userAgent.slice(0, MAX_USER_AGENT));
