import Color from 'colorjs.io';

/** The colours of one theme, as `#rrggbb`. */
export interface Theme {
	readonly page: string;
	readonly surface: string;
	readonly sunken: string;
	readonly text: string;
	readonly muted: string;
	readonly line: string;
	readonly fieldLine: string;
	readonly accent: string;
	/** The accent under the pointer. */
	readonly accentStrong: string;
	readonly accentSoft: string;
	readonly onAccent: string;
	readonly danger: string;
	readonly dangerSoft: string;
	readonly focus: string;
	/** With an alpha channel. */
	readonly shadow: string;
}

export interface Palette {
	readonly light: Theme;
	readonly dark: Theme;
	/** The accent on a background that can be light or dark: that of an email. */
	readonly accentOnBoth: string;
}

export interface BrandColours {
	readonly palette: Palette;
	/** The background of pages, for the interface of browsers. */
	readonly pageColours: { readonly light: string; readonly dark: string };
}

/** From here on, greys get the full tint of the accent. Below, they become neutral with it. */
const COLOURFUL = 0.08;
/** A brighter accent than this glares on a dark page. */
const MOST_CHROMA_ON_DARK = 0.12;
/** An accent darker than this becomes lighter under the pointer, because darker would not show. */
const NEARLY_BLACK = 0.3;

/** Derives every colour from the accent, in OKLCH: equal lightness there looks equally light. */
export const derivePalette = (accent: string): Palette => {
	const { lightness, chroma, hue } = inOklch(accent);
	const tint = Math.min(1, chroma / COLOURFUL);
	const tone = (l: number, c: number): string => hexOf(l, c, hue);
	const grey = (l: number, c: number): string => tone(l, c * tint);
	const darkChroma = Math.min(chroma * 1.4, MOST_CHROMA_ON_DARK);

	const light = {
		page: grey(0.968, 0.003),
		text: grey(0.237, 0.016),
		accent: tone(lightness, chroma)
	};
	const dark = { page: grey(0.181, 0.009), strong: tone(0.849, darkChroma * 0.84) };
	return {
		light: {
			...light,
			surface: '#ffffff',
			sunken: light.page,
			muted: grey(0.476, 0.019),
			line: grey(0.898, 0.008),
			fieldLine: grey(0.608, 0.017),
			accentStrong: tone(lightness + (lightness < NEARLY_BLACK ? 0.2 : -0.09), chroma * 0.8),
			accentSoft: grey(0.944, 0.016),
			onAccent: '#ffffff',
			danger: '#a3211b',
			dangerSoft: '#fceeec',
			focus: light.accent,
			shadow: `${light.text}1f`
		},
		dark: {
			page: dark.page,
			surface: grey(0.223, 0.012),
			sunken: dark.page,
			text: grey(0.943, 0.009),
			muted: grey(0.744, 0.019),
			line: grey(0.321, 0.017),
			fieldLine: grey(0.586, 0.02),
			accent: tone(0.788, darkChroma),
			accentStrong: dark.strong,
			accentSoft: grey(0.29, 0.035),
			onAccent: grey(0.238, 0.041),
			danger: '#ff9d94',
			dangerSoft: '#351b19',
			focus: dark.strong,
			shadow: '#0000008c'
		},
		accentOnBoth: tone(0.56, chroma)
	};
};

export const coloursOf = (accent: string): BrandColours => {
	const palette = derivePalette(accent);
	return { palette, pageColours: { light: palette.light.page, dark: palette.dark.page } };
};

/** Whether it is a colour as CSS writes it, without transparency. */
export const isColour = (text: string): boolean => {
	const colour = Color.try(text);
	return colour !== null && colour.alpha === 1;
};

/** The ratio of WCAG 2, from 1 to 21. */
export const contrast = (one: string, other: string): number =>
	new Color(one).contrastWCAG21(other);

/** A darker or lighter colour of the same hue. */
export const withLightness = (colour: string, lightness: number): string => {
	const { chroma, hue } = inOklch(colour);
	return hexOf(lightness, chroma, hue);
};

const inOklch = (colour: string): { lightness: number; chroma: number; hue: number } => {
	const [lightness, chroma, hue] = new Color(colour).to('oklch').coords;
	// A grey has no hue.
	return { lightness: lightness ?? 0, chroma: chroma ?? 0, hue: hue ?? 0 };
};

const hexOf = (lightness: number, chroma: number, hue: number): string =>
	new Color('oklch', [lightness, chroma, hue])
		.to('srgb')
		.toGamut({ method: 'css' })
		.toString({ format: 'hex', collapse: false });
