import { httpError, type HttpErrorCode } from './http-errors.ts';
import { safePath } from './paths.ts';
import { isTrustedOrigin } from './request-headers.ts';

/** Fields with a redirect target for later. They are checked in every query and described body. */
const FIELDS: Readonly<Record<string, HttpErrorCode>> = {
	callbackURL: 'invalid_callback_url',
	redirectTo: 'invalid_redirect_url',
	errorCallbackURL: 'invalid_error_callback_url',
	newUserCallbackURL: 'invalid_new_user_callback_url'
};

/** The redirect errors that any call can return, since every call checks its query. */
export const REDIRECT_ERRORS: readonly HttpErrorCode[] = Object.values(FIELDS);

/**
 * Refuses a call with a redirect target outside the trusted sites. Returns null if all targets are
 * allowed.
 */
export const refuseRedirects = (
	values: Readonly<Record<string, unknown>>,
	origin: string,
	trusted: ReadonlySet<string>
): Response | null => {
	for (const [field, error] of Object.entries(FIELDS)) {
		const value = Object.hasOwn(values, field) ? values[field] : undefined;
		if (value === undefined) continue;
		if (typeof value !== 'string') {
			return httpError('validation_error', `[body.${field}] Invalid input: expected string`);
		}
		if (redirectTarget(value, origin, trusted) === null) return httpError(error);
	}
	return null;
};

/** A redirect target: a local path or a URL of a trusted site. Returns null for others. */
export const redirectTarget = (
	value: string,
	origin: string,
	trusted: ReadonlySet<string>
): string | null =>
	safePath(value, origin) ?? (isOfTrustedSite(value, trusted) ? new URL(value).href : null);

const isOfTrustedSite = (value: string, trusted: ReadonlySet<string>): boolean => {
	if (!/^[a-z][a-z0-9+.-]*:\/\/[^/\\]/i.test(value) || /[\\\p{Cc}]/u.test(value)) return false;
	if (!URL.canParse(value)) return false;
	const { protocol, host, username, password } = new URL(value);
	return username === '' && password === '' && isTrustedOrigin(`${protocol}//${host}`, trusted);
};
