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
	/** The link for a change of address that was opened here and waits to be confirmed. */
	linkToken(): LinkToken | null;
	/** The leave to restore a deleted account, earned by the right code. */
	restoreToken(): RestoreToken | null;
	/** Whether the person ticked the consent on the way to their code, in a form without script. */
	consentWish(): boolean;
	setSession(token: SessionToken, expiresAt: Date, now: Date): void;
	setBrowserKey(key: BrowserKey): void;
	/** Null takes it away. */
	setCache(sealed: string | null): void;
	/** `lifetime` in seconds, here and below; null takes it away. */
	setLinkToken(token: LinkToken | null, lifetime?: number): void;
	setRestoreToken(token: RestoreToken | null, lifetime?: number): void;
	setConsentWish(lifetime: number | null): void;
	/** With everything that was kept for it. */
	clearSession(): void;
}

/** A page left open that long asks to be reloaded; every page with a form renews it. In seconds. */
const BROWSER_KEY_AGE = 30 * 24 * 60 * 60;

const prefixOf = (secure: boolean): string => (secure ? '__Host-' : '');

/** The name of the cookie that is a credential. */
export const sessionCookie = (secure: boolean): string => `${prefixOf(secure)}postern_session`;

export const authCookies = (
	cookies: Cookies,
	header: string | null,
	secure: boolean
): AuthCookies => {
	const prefix = prefixOf(secure);
	const session = sessionCookie(secure);
	const browser = `${prefix}postern_browser`;
	const cache = `${prefix}postern_cache`;
	const link = `${prefix}postern_link`;
	const restore = `${prefix}postern_restore`;
	const consent = `${prefix}postern_consent`;
	const attributes = { path: '/', httpOnly: true, sameSite: 'lax', secure } as const;
	const read = <T>(name: string, parse: (value: string) => T | null): T | null => {
		const value = cookieValue(header, name);
		return value === null ? null : parse(value);
	};
	const set = (name: string, value: string | null, maxAge: number): void => {
		if (value === null) cookies.delete(name, attributes);
		else cookies.set(name, value, { ...attributes, maxAge });
	};
	return {
		sessionToken: () => read(session, parseSessionToken),
		browserKey: () => read(browser, parseBrowserKey),
		cache: () => read(cache, (value) => value),
		linkToken: () => read(link, parseLinkToken),
		restoreToken: () => read(restore, parseRestoreToken),
		consentWish: () => read(consent, (value) => value) === '1',
		setSession: (token, expiresAt, now) =>
			cookies.set(session, token, {
				...attributes,
				maxAge: Math.max(0, Math.ceil((expiresAt.getTime() - now.getTime()) / 1000))
			}),
		setBrowserKey: (key) => cookies.set(browser, key, { ...attributes, maxAge: BROWSER_KEY_AGE }),
		setCache: (sealed) => set(cache, sealed, CACHE_LIFETIME),
		setLinkToken: (token, lifetime = 0) => set(link, token, lifetime),
		setRestoreToken: (token, lifetime = 0) => set(restore, token, lifetime),
		setConsentWish: (lifetime) => set(consent, lifetime === null ? null : '1', lifetime ?? 0),
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
