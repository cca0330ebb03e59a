import type { Cookies } from '@sveltejs/kit';
import { parseTheme, type Theme } from '#lib/ui/layout/theme.ts';

/** No secret: a neighbour who could set it would change colours. */
const NAME = 'postern_theme';
/** In seconds; browsers keep none for longer than 400 days. */
const AGE = 400 * 24 * 60 * 60;

export const themeOf = (cookies: Cookies): Theme => parseTheme(cookies.get(NAME));

/** Remembers a choice; to follow the system is to have none. */
export const setTheme = (cookies: Cookies, theme: Theme): void => {
	if (theme === 'system') cookies.delete(NAME, { path: '/' });
	else cookies.set(NAME, theme, { path: '/', maxAge: AGE, sameSite: 'lax', httpOnly: true });
};
