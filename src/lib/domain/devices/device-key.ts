import type { Brand } from '../brand.ts';
import type { Random } from '../random.ts';
import { newSecret, SECRET } from '../secret.ts';

/**
 * By this key the server recognises a browser in which an account signed in before. It lives in an
 * HTTP-only cookie, and gives access to nothing.
 */
export type DeviceKey = Brand<string, 'DeviceKey'>;

/** The same for a program. The program makes the key once and sends it in a header. */
export type ClientKey = Brand<string, 'ClientKey'>;

/** The key that a client presents. A key of one kind is never valid as the other. */
export type DeviceClaim =
	| { readonly kind: 'browser'; readonly key: DeviceKey }
	| { readonly kind: 'program'; readonly key: ClientKey };

export const newDeviceKey = (random: Random): DeviceKey => newSecret(random) as DeviceKey;

/** Null for text that cannot be an issued key, so that it never reaches a store. */
export const parseDeviceKey = (value: string): DeviceKey | null =>
	SECRET.test(value) ? (value as DeviceKey) : null;

/** 22 characters of base64url hold at least 128 bits, and 86 hold 512. */
const CLIENT_KEY = /^[A-Za-z0-9_-]{22,86}$/;

/** Null for text that is too short, too long or not base64url. */
export const parseClientKey = (value: string): ClientKey | null =>
	CLIENT_KEY.test(value) ? (value as ClientKey) : null;
