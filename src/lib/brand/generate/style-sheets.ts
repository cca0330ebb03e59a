import type { Palette, Theme } from './derive-palette.ts';

/** `brand(accent-soft)` in a style sheet. */
const COLOUR = /\bbrand\(([a-z-]+)\)/g;

const colourIn = (theme: Theme, name: string): string => {
	const key = name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
	const value = new Map<string, string>(Object.entries(theme)).get(key);
	if (value === undefined) throw new Error(`the brand has no colour "${name}"`);
	return value;
};

/** Replaces the names of colours by their values for light and dark. */
export const withColours = (css: string, { light, dark }: Palette): string =>
	css.replace(
		COLOUR,
		(_, name: string) => `light-dark(${colourIn(light, name)}, ${colourIn(dark, name)})`
	);

/**
 * The same for a style sheet that no further step of the build reads. Its names become custom
 * properties, because old browsers do not know `light-dark()`.
 */
export const withProperties = (css: string, { light, dark }: Palette): string => {
	const names = [...new Set([...css.matchAll(COLOUR)].map(([, name = '']) => name))];
	const block = (scheme: string, theme: Theme): string =>
		`{color-scheme:${scheme};${names.map((name) => `--${name}:${colourIn(theme, name)}`).join(';')}}`;
	return [
		`:root${block('light', light)}`,
		`@media (prefers-color-scheme: dark){:root:not([data-theme='light'])${block('dark', dark)}}`,
		`:root[data-theme='dark']${block('dark', dark)}`,
		css.replace(COLOUR, 'var(--$1)')
	].join('\n');
};
