import { exactOrigin } from '#lib/config/addresses.ts';
import { apiError } from './api-error.ts';
import { safePath } from './safe-path.ts';

/** Fields that say where a browser is to go later. They are judged wherever they are sent. */
const FIELDS: Readonly<Record<string, string>> = {
	callbackURL: 'INVALID_CALLBACK_URL',
	redirectTo: 'INVALID_REDIRECT_URL',
	errorCallbackURL: 'INVALID_ERROR_CALLBACK_URL',
	newUserCallbackURL: 'INVALID_NEW_USER_CALLBACK_URL'
};

/** The answer to a call that names a place off the trusted sites; null when there is nothing to refuse. */
export const refuseRedirects = (
	values: Readonly<Record<string, unknown>>,
	origin: string,
	trusted: ReadonlySet<string>
): Response | null => {
	for (const [field, code] of Object.entries(FIELDS)) {
		const value = Object.hasOwn(values, field) ? values[field] : undefined;
		if (value === undefined) continue;
		if (typeof value !== 'string') {
			return apiError(400, 'VALIDATION_ERROR', `[body.${field}] Invalid input: expected string`);
		}
		if (safePath(value, origin) === null && !isOfTrustedSite(value, trusted)) {
			return apiError(403, code, `Invalid ${field}`);
		}
	}
	return null;
};

const isOfTrustedSite = (value: string, trusted: ReadonlySet<string>): boolean => {
	if (!/^[a-z][a-z0-9+.-]*:\/\/[^/\\]/i.test(value) || /[\\\p{Cc}]/u.test(value)) return false;
	if (!URL.canParse(value)) return false;
	const { protocol, host, username, password } = new URL(value);
	const origin = exactOrigin(`${protocol}//${host}`);
	return origin !== null && username === '' && password === '' && trusted.has(origin);
};
