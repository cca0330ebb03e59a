import type { Cookies } from '@sveltejs/kit';
import {
	parseCodeKey,
	parseDeviceKey,
	parseRestoreToken,
	parseSessionToken,
	type CodeKey,
	type SessionToken
} from '#lib/domain/secret.ts';
import { parseChangeLinkToken } from '#lib/domain/signed-links.ts';
import { DAY, wholeSecondsLeft } from '#lib/domain/time.ts';

const text = (value: string): string => value;

/** `shown`: a page has said that the session ended. It says this once. */
const parseSessionEnd = (value: string): string | null =>
	value === 'shown' || /^\d{1,15}$/.test(value) ? value : null;

/** All our cookies: the end of the name, and what parses the value. */
const COOKIES = {
	sessionToken: ['session', parseSessionToken],
	/** The key to which the codes and forms of this browser are bound. */
	codeKey: ['browser', parseCodeKey],
	/** The key by which this browser is a known device. It gives access to nothing. */
	deviceKey: ['device', parseDeviceKey],
	/** The link for an email change that was opened in this browser and is not yet confirmed. */
	changeLinkToken: ['link', parseChangeLinkToken],
	/** The grant to restore a deleted account, issued after the correct code was entered. */
	restoreToken: ['restore', parseRestoreToken],
	/** What happened, for the next page that knows this text. */
	flash: ['flash', text],
	/** Until when the session lasts unless it is ended elsewhere, in milliseconds. Or `shown`. */
	sessionEnd: ['session_end', parseSessionEnd],
	// The code that reads one of these decrypts or verifies it.
	cache: ['cache', text],
	consent: ['consent', text],
	/** Of an account that was deleted in this browser. */
	deletedEmail: ['deleted_email', text]
} as const satisfies Readonly<Record<string, readonly [string, (value: string) => unknown]>>;

type CookieName = keyof typeof COOKIES;
type Value<Name extends CookieName> = ReturnType<(typeof COOKIES)[Name][1]>;

export const COOKIE_NAMES = Object.keys(COOKIES) as CookieName[];

export const nameInHeader = (name: CookieName, secure: boolean): string =>
	`${secure ? '__Host-' : ''}postern_${COOKIES[name][0]}`;

/**
 * The cookies of a header. Null for one that occurs twice with different values: at most one is
 * ours, and we cannot know which. Skips only space and tab before a name, as the cookie grammar
 * says. Other white space could make a different name look like ours.
 */
const parseCookies = (header: string): ReadonlyMap<string, string | null> => {
	const values = new Map<string, string | null>();
	for (const pair of header.split(';')) {
		const at = pair.indexOf('=');
		if (at === -1) continue;
		const name = pair.slice(0, at).replace(/^[ \t]+/, '');
		const value = pair.slice(at + 1).trimEnd();
		values.set(name, values.has(name) && values.get(name) !== value ? null : value);
	}
	return values;
};

/** Every page renews the key. */
const CODE_KEY_AGE_S = 30 * DAY;

/** How long after a session expired the sign-in pages can still say so. */
const NAMED_AFTER_EXPIRY_S = 30 * DAY;

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
	#values: ReadonlyMap<string, string | null> | null = null;

	constructor(cookies: Cookies, header: string | null, secure: boolean) {
		this.#cookies = cookies;
		this.#header = header;
		this.#secure = secure;
	}

	/**
	 * As the browser sent it: what `set` wrote is not visible in this request. Null without the cookie,
	 * and if its value is not one of ours.
	 */
	get<Name extends CookieName>(name: Name): Value<Name> | null {
		this.#values ??= parseCookies(this.#header ?? '');
		const value = this.#values.get(nameInHeader(name, this.#secure)) ?? null;
		return value === null ? null : (COOKIES[name][1](value) as Value<Name>);
	}
	/** Null deletes the cookie. `maxAge` is in seconds. */
	set<Name extends CookieName>(
		name: Name,
		value: (Value<Name> & string) | null,
		maxAge: number
	): void {
		if (value === null) return this.delete(name);
		const attributes = { ...ATTRIBUTES, secure: this.#secure, maxAge };
		this.#cookies.set(nameInHeader(name, this.#secure), value, attributes);
	}
	delete(name: CookieName): void {
		const attributes = { ...ATTRIBUTES, secure: this.#secure };
		this.#cookies.delete(nameInHeader(name, this.#secure), attributes);
	}
	setCodeKey(key: CodeKey): void {
		this.set('codeKey', key, CODE_KEY_AGE_S);
	}
	setSession(token: SessionToken, expiresAt: Date, now: Date): void {
		this.set('sessionToken', token, wholeSecondsLeft(expiresAt, now));
	}
	/** Lets the pages say later that this session has expired, or was ended elsewhere. */
	rememberSession(expiresAt: Date, now: Date): void {
		const maxAge = wholeSecondsLeft(expiresAt, now) + NAMED_AFTER_EXPIRY_S;
		this.set('sessionEnd', `${expiresAt.getTime()}`, maxAge);
	}
	/** Forgets what pages may have to say about an earlier session. */
	clearMessages(): void {
		for (const name of ['flash', 'sessionEnd'] as const) {
			if (this.get(name) !== null) this.delete(name);
		}
	}
	/** With the session cache. The browser stays a known device. */
	deleteSessionCookies(): void {
		this.delete('sessionToken');
		this.delete('cache');
		this.clearMessages();
	}
}
