import type { Cookies } from '@sveltejs/kit';
import { parseTheme, type Theme } from '#lib/ui/layout/theme.ts';

/** Not a secret. A sibling subdomain that sets it can only change the colours. */
const NAME = 'postern_theme';
/** In seconds. Browsers keep no cookie for longer than 400 days. */
const AGE = 400 * 24 * 60 * 60;

export const themeOf = (cookies: Cookies): Theme => parseTheme(cookies.get(NAME));

/**
 * Remembers the chosen theme. The system theme is the default, so choosing it deletes the cookie.
 */
export const setTheme = (cookies: Cookies, theme: Theme): void => {
	if (theme === 'system') cookies.delete(NAME, { path: '/' });
	else cookies.set(NAME, theme, { path: '/', maxAge: AGE, sameSite: 'lax', httpOnly: true });
};
