/** The themes of the pages: follow the system, or always one. */
export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

/** An unknown value counts as no choice. */
export const parseTheme = (value: unknown): Theme =>
	THEMES.find((theme) => theme === value) ?? 'system';
