import type { Cookies } from '@sveltejs/kit';
import {
	parseCodeKey,
	parseDeviceKey,
	parseRestoreToken,
	parseSessionToken,
	type CodeKey,
	type DeviceKey,
	type RestoreToken,
	type SessionToken
} from '#lib/domain/secret.ts';
import { parseChangeLinkToken, type ChangeLinkToken } from '#lib/domain/signed-links.ts';
import { DAY, wholeSecondsLeft } from '#lib/domain/time.ts';
import { flashValue, parseFlash, type Flash } from './flash.ts';

const prefixOf = (secure: boolean): string => (secure ? '__Host-' : '');

/** The name of the session cookie, whose value is a credential. */
export const sessionCookie = (secure: boolean): string => `${prefixOf(secure)}postern_session`;

const namesOf = (secure: boolean) => {
	const prefix = prefixOf(secure);
	return {
		session: sessionCookie(secure),
		codeKey: `${prefix}postern_browser`,
		device: `${prefix}postern_device`,
		cache: `${prefix}postern_cache`,
		link: `${prefix}postern_link`,
		restore: `${prefix}postern_restore`,
		consent: `${prefix}postern_consent`,
		flash: `${prefix}postern_flash`,
		settingsReport: `${prefix}postern_done`,
		draft: `${prefix}postern_draft`,
		deletedEmail: `${prefix}postern_deleted_email`
	};
};

type TextCookie =
	| 'cache'
	| 'consent'
	| 'draft'
	/** Of an account that was deleted in this browser. */
	| 'deletedEmail'
	/** What the last action in the settings did. */
	| 'settingsReport';

/** The names of our cookies, over https and over http. */
export const COOKIE_NAMES = { secure: namesOf(true), plain: namesOf(false) };

/**
 * Returns the value of the cookie with exactly this name. Null if it occurs twice with different
 * values: at most one is ours, and we cannot know which. Skips only space and tab, as the cookie
 * grammar says. Other white space could make a different name look like ours.
 */
const cookieValue = (header: string | null, name: string): string | null => {
	if (header === null) return null;
	let found: string | null = null;
	for (let start = 0; start < header.length;) {
		const semicolon = header.indexOf(';', start);
		const end = semicolon === -1 ? header.length : semicolon;
		while (isBlank(header, start)) start += 1;
		// Compare in place: most cookies are others, and some are long.
		if (header.startsWith(name, start) && header[start + name.length] === '=') {
			const value = header.slice(start + name.length + 1, end).replace(/[ \t]+$/, '');
			if (found !== null && found !== value) return null;
			found = value;
		}
		start = end + 1;
	}
	return found;
};

const isBlank = (text: string, at: number): boolean => text[at] === ' ' || text[at] === '\t';

/** In seconds. Every page with a form renews the key. */
const CODE_KEY_AGE = 30 * DAY;

/** For this long after a session expired, its browser can say so. In seconds. */
const FLASH_AFTER_EXPIRY = 30 * DAY;

const ATTRIBUTES = { path: '/', httpOnly: true, sameSite: 'lax' } as const;

/**
 * All our cookies; most carry secrets. Over https their names start with `__Host-`: browsers accept
 * such a cookie only from this exact host, for `/`, and with Secure. So a sibling subdomain cannot
 * set one.
 *
 * A class because every request creates one and most requests call only one or two of its methods.
 */
export class OwnCookies {
	readonly #cookies: Cookies;
	readonly #header: string | null;
	readonly #secure: boolean;

	constructor(cookies: Cookies, header: string | null, secure: boolean) {
		this.#cookies = cookies;
		this.#header = header;
		this.#secure = secure;
	}

	sessionToken(): SessionToken | null {
		return this.#read(this.#names.session, parseSessionToken);
	}
	/** The key to which the codes and forms of this browser are bound. */
	codeKey(): CodeKey | null {
		return this.#read(this.#names.codeKey, parseCodeKey);
	}
	/** The key by which this browser is a known device. It gives access to nothing. */
	deviceKey(): DeviceKey | null {
		return this.#read(this.#names.device, parseDeviceKey);
	}
	/** The link for an email change that was opened in this browser and is not yet confirmed. */
	changeLinkToken(): ChangeLinkToken | null {
		return this.#read(this.#names.link, parseChangeLinkToken);
	}
	/** The grant to restore a deleted account, issued after the correct code was entered. */
	restoreToken(): RestoreToken | null {
		return this.#read(this.#names.restore, parseRestoreToken);
	}
	/** What the next page may have to say. */
	flash(): Flash | null {
		return this.#read(this.#names.flash, parseFlash);
	}
	/** A text that its reader decrypts or verifies. */
	text(name: TextCookie): string | null {
		return this.#read(this.#names[name], (value) => value);
	}

	setSession(token: SessionToken, expiresAt: Date, now: Date): void {
		this.#set(this.#names.session, token, wholeSecondsLeft(expiresAt, now));
	}
	/** Lets the pages say later that this session has expired, or was ended elsewhere. */
	rememberSession(expiresAt: Date, now: Date): void {
		const left = wholeSecondsLeft(expiresAt, now);
		this.setFlash({ until: expiresAt.getTime() }, left + FLASH_AFTER_EXPIRY);
	}
	setCodeKey(key: CodeKey): void {
		this.#set(this.#names.codeKey, key, CODE_KEY_AGE);
	}
	/** `lifetime` is in seconds, here and below. */
	setDeviceKey(key: DeviceKey, lifetime: number): void {
		this.#set(this.#names.device, key, lifetime);
	}
	/** Null deletes the cookie, here and below. */
	setChangeLinkToken(token: ChangeLinkToken | null, lifetime = 0): void {
		this.#set(this.#names.link, token, lifetime);
	}
	setRestoreToken(token: RestoreToken | null, lifetime = 0): void {
		this.#set(this.#names.restore, token, lifetime);
	}
	setFlash(flash: Flash | null, lifetime = 0): void {
		this.#set(this.#names.flash, flash && flashValue(flash), lifetime);
	}
	setText(name: TextCookie, value: string | null, lifetime = 0): void {
		this.#set(this.#names[name], value, lifetime);
	}
	/** Also clears the session cache. The browser stays a known device. */
	clearSession(): void {
		this.#set(this.#names.session, null, 0);
		this.setText('cache', null);
		if (this.flash() !== null) this.setFlash(null);
		if (this.text('settingsReport') !== null) this.setText('settingsReport', null);
	}

	get #names(): (typeof COOKIE_NAMES)['secure'] {
		return this.#secure ? COOKIE_NAMES.secure : COOKIE_NAMES.plain;
	}

	#read<T>(name: string, parse: (value: string) => T | null): T | null {
		const value = cookieValue(this.#header, name);
		return value === null ? null : parse(value);
	}

	#set(name: string, value: string | null, maxAge: number): void {
		const attributes = { ...ATTRIBUTES, secure: this.#secure };
		if (value === null) this.#cookies.delete(name, attributes);
		else this.#cookies.set(name, value, { ...attributes, maxAge });
	}
}
