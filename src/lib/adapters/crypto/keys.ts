import { hkdfSync } from 'node:crypto';

/** What a derived key is for. A value made under one purpose means nothing under another. */
export type KeyPurpose = 'code' | 'session-token' | 'browser-key';

const KEY_BYTES = 32;
/** Fixed and public: HKDF needs no secret salt where its input is a high-entropy secret. */
const SALT = 'postern';

/**
 * The key of one purpose, derived from AUTH_SECRET with HKDF-SHA-256. The purpose is the label, so
 * the keys are independent: knowing one tells nothing about the secret or about the others.
 */
export const deriveKey = (secret: string, purpose: KeyPurpose): Uint8Array =>
	new Uint8Array(hkdfSync('sha256', secret, SALT, `postern/v1/${purpose}`, KEY_BYTES));
