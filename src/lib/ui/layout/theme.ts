/** How the pages look: as the system does, or always one way. */
export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

/** Anything unknown means that nobody has chosen. */
export const parseTheme = (value: unknown): Theme =>
	THEMES.find((theme) => theme === value) ?? 'system';
