import type { Cookies } from '@sveltejs/kit';
import {
	parseBrowserKey,
	parseSessionToken,
	type BrowserKey,
	type SessionToken
} from '#lib/domain/secret.ts';
import { CACHE_LIFETIME } from './session-cache.ts';

/**
 * The cookies that carry secrets. Over https their names start with `__Host-`, which browsers
 * accept only from this very host, for `/`, and Secure: no neighbour can plant one.
 */
export interface AuthCookies {
	sessionToken(): SessionToken | null;
	/** Null while the browser has none. */
	browserKey(): BrowserKey | null;
	/** The sealed session cache, unread. */
	cache(): string | null;
	setSession(token: SessionToken, expiresAt: Date, now: Date): void;
	setBrowserKey(key: BrowserKey): void;
	/** Null takes it away. */
	setCache(sealed: string | null): void;
	/** With everything that was kept for it. */
	clearSession(): void;
}

/** A page left open that long asks to be reloaded; every page with a form renews it. In seconds. */
const BROWSER_KEY_AGE = 30 * 24 * 60 * 60;

export const authCookies = (
	cookies: Cookies,
	header: string | null,
	secure: boolean
): AuthCookies => {
	const prefix = secure ? '__Host-' : '';
	const session = `${prefix}postern_session`;
	const browser = `${prefix}postern_browser`;
	const cache = `${prefix}postern_cache`;
	const attributes = { path: '/', httpOnly: true, sameSite: 'lax', secure } as const;
	const read = <T>(name: string, parse: (value: string) => T | null): T | null => {
		const value = cookieValue(header, name);
		return value === null ? null : parse(value);
	};
	return {
		sessionToken: () => read(session, parseSessionToken),
		browserKey: () => read(browser, parseBrowserKey),
		cache: () => read(cache, (value) => value),
		setSession: (token, expiresAt, now) =>
			cookies.set(session, token, {
				...attributes,
				maxAge: Math.max(0, Math.ceil((expiresAt.getTime() - now.getTime()) / 1000))
			}),
		setBrowserKey: (key) => cookies.set(browser, key, { ...attributes, maxAge: BROWSER_KEY_AGE }),
		setCache: (sealed) =>
			sealed === null
				? cookies.delete(cache, attributes)
				: cookies.set(cache, sealed, { ...attributes, maxAge: CACHE_LIFETIME }),
		clearSession: () => {
			cookies.delete(session, attributes);
			cookies.delete(cache, attributes);
		}
	};
};

/**
 * The value of the one cookie of exactly this name. None when it is there twice with different
 * values: a browser that sends two did not get both from us, and which one is ours cannot be told.
 * Only the blanks of the cookie grammar are skipped, so that no exotic space makes another name
 * look like ours.
 */
const cookieValue = (header: string | null, name: string): string | null => {
	const values = new Set<string>();
	for (const pair of (header ?? '').split(';')) {
		const [, key, value] = /^[ \t]*([^=]*)=(.*?)[ \t]*$/s.exec(pair) ?? [];
		if (key === name && value !== undefined) values.add(value);
	}
	const [only] = values;
	return values.size === 1 && only !== undefined ? only : null;
};
