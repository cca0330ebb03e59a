import type { Cookies } from '@sveltejs/kit';
import {
	parseBrowserKey,
	parseLinkToken,
	parseRestoreToken,
	parseSessionToken,
	type BrowserKey,
	type LinkToken,
	type RestoreToken,
	type SessionToken
} from '#lib/domain/secret.ts';
import { CACHE_LIFETIME } from './freshness.ts';

/** A page left open that long asks to be reloaded; every page with a form renews it. In seconds. */
const BROWSER_KEY_AGE = 30 * 24 * 60 * 60;

const prefixOf = (secure: boolean): string => (secure ? '__Host-' : '');

/** The name of the cookie that is a credential. */
export const sessionCookie = (secure: boolean): string => `${prefixOf(secure)}postern_session`;

const namesOf = (secure: boolean) => {
	const prefix = prefixOf(secure);
	return {
		session: sessionCookie(secure),
		browser: `${prefix}postern_browser`,
		cache: `${prefix}postern_cache`,
		link: `${prefix}postern_link`,
		restore: `${prefix}postern_restore`,
		consent: `${prefix}postern_consent`
	};
};
const NAMES = { secure: namesOf(true), plain: namesOf(false) };

/**
 * The cookies that carry secrets. Over https their names start with `__Host-`, which browsers
 * accept only from this very host, for `/`, and Secure: no neighbour can plant one.
 *
 * A class, as every request makes one and few use more than one of its methods.
 */
export class AuthCookies {
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
	/** Null while the browser has none. */
	browserKey(): BrowserKey | null {
		return this.#read(this.#names.browser, parseBrowserKey);
	}
	/** The sealed session cache, unread. */
	cache(): string | null {
		return this.#read(this.#names.cache, (value) => value);
	}
	/** The link for a change of address that was opened here and waits to be confirmed. */
	linkToken(): LinkToken | null {
		return this.#read(this.#names.link, parseLinkToken);
	}
	/** The leave to restore a deleted account, earned by the right code. */
	restoreToken(): RestoreToken | null {
		return this.#read(this.#names.restore, parseRestoreToken);
	}
	/** The consent that is pending in this browser, unread (see `PendingConsents`). */
	pendingConsent(): string | null {
		return this.#read(this.#names.consent, (value) => value);
	}

	setSession(token: SessionToken, expiresAt: Date, now: Date): void {
		const left = Math.ceil((expiresAt.getTime() - now.getTime()) / 1000);
		this.#set(this.#names.session, token, Math.max(0, left));
	}
	setBrowserKey(key: BrowserKey): void {
		this.#set(this.#names.browser, key, BROWSER_KEY_AGE);
	}
	/** Null takes it away. */
	setCache(sealed: string | null): void {
		this.#set(this.#names.cache, sealed, CACHE_LIFETIME);
	}
	/** `lifetime` in seconds, here and below; null takes it away. */
	setLinkToken(token: LinkToken | null, lifetime = 0): void {
		this.#set(this.#names.link, token, lifetime);
	}
	setRestoreToken(token: RestoreToken | null, lifetime = 0): void {
		this.#set(this.#names.restore, token, lifetime);
	}
	setPendingConsent(value: string | null, lifetime = 0): void {
		this.#set(this.#names.consent, value, lifetime);
	}
	/** With everything that was kept for it. */
	clearSession(): void {
		this.#set(this.#names.session, null, 0);
		this.#set(this.#names.cache, null, 0);
	}

	get #names(): ReturnType<typeof namesOf> {
		return this.#secure ? NAMES.secure : NAMES.plain;
	}

	#read<T>(name: string, parse: (value: string) => T | null): T | null {
		const value = cookieValue(this.#header, name);
		return value === null ? null : parse(value);
	}

	#set(name: string, value: string | null, maxAge: number): void {
		const attributes = {
			path: '/',
			httpOnly: true,
			sameSite: 'lax',
			secure: this.#secure
		} as const;
		if (value === null) this.#cookies.delete(name, attributes);
		else this.#cookies.set(name, value, { ...attributes, maxAge });
	}
}

/**
 * The value of the one cookie of exactly this name. None when it is there twice with different
 * values: a browser that sends two did not get both from us, and which one is ours cannot be told.
 * Only the blanks of the cookie grammar are skipped, so that no exotic space makes another name
 * look like ours.
 */
const cookieValue = (header: string | null, name: string): string | null => {
	if (header === null) return null;
	let found: string | null = null;
	for (let start = 0; start < header.length;) {
		const semicolon = header.indexOf(';', start);
		const end = semicolon === -1 ? header.length : semicolon;
		while (isBlank(header, start)) start += 1;
		// Most pairs are others, some of them long.
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
