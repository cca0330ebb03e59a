import Color from 'colorjs.io';

/** Every colour is `#rrggbb`, only the shadow has an alpha channel. */
export type Palette = ReturnType<typeof derivePalette>;
export type Theme = Palette['light' | 'dark'];

/** Of WCAG AA, for text. Where the accent reaches it on a page, all other colours reach theirs. */
const LEAST_CONTRAST = 4.5;
/** From here on, greys get the full tint of the accent. Below, they become neutral with it. */
const COLOURFUL = 0.08;
/** A brighter accent than this glares on a dark page. */
const MOST_CHROMA_ON_DARK = 0.12;
/** An accent darker than this becomes lighter under the pointer, because darker would not show. */
const NEARLY_BLACK = 0.3;

/**
 * Derives every colour from the accent, in OKLCH: equal lightness there looks equally light. Throws
 * for an accent that is no colour or that nobody could read.
 */
export const derivePalette = (accent: string) => {
	const colour = Color.try(accent);
	if (colour?.alpha !== 1) throw accentError(`"${accent}" is not an opaque colour`);
	// A grey has no hue.
	const [lightness = 0, chroma = 0, hue = 0] = colour.to('oklch').coords.map((part) => part ?? 0);
	const tone = (l: number, c: number): string =>
		new Color('oklch', [l, c, hue])
			.to('srgb')
			.toGamut({ method: 'css' })
			.toString({ format: 'hex', collapse: false });
	const tint = Math.min(1, chroma / COLOURFUL);
	const grey = (l: number, c: number): string => tone(l, c * tint);
	const darkChroma = Math.min(chroma * 1.4, MOST_CHROMA_ON_DARK);

	const page = grey(0.968, 0.003);
	const contrast = colour.contrastWCAG21(page);
	if (contrast < LEAST_CONTRAST) {
		const reached = Math.floor(contrast * 10) / 10;
		throw accentError(
			`${accent} on a page has a contrast of ${reached}, and WCAG AA needs ${LEAST_CONTRAST}. Take a darker colour`
		);
	}
	const text = grey(0.237, 0.016);
	return {
		light: {
			page,
			surface: '#ffffff',
			text,
			muted: grey(0.476, 0.019),
			line: grey(0.898, 0.008),
			fieldLine: grey(0.608, 0.017),
			accent: tone(lightness, chroma),
			/** Under the pointer and around what has the focus. */
			accentStrong: tone(lightness + (lightness < NEARLY_BLACK ? 0.2 : -0.09), chroma * 0.8),
			accentSoft: grey(0.944, 0.016),
			onAccent: '#ffffff',
			danger: '#a3211b',
			dangerSoft: '#fceeec',
			warning: '#7a4b00',
			warningSoft: '#fdf3e0',
			shadow: `${text}1f`
		},
		dark: {
			page: grey(0.181, 0.009),
			surface: grey(0.223, 0.012),
			text: grey(0.943, 0.009),
			muted: grey(0.744, 0.019),
			line: grey(0.321, 0.017),
			fieldLine: grey(0.586, 0.02),
			accent: tone(0.788, darkChroma),
			accentStrong: tone(0.849, darkChroma * 0.84),
			accentSoft: grey(0.29, 0.035),
			onAccent: grey(0.238, 0.041),
			danger: '#ff9d94',
			dangerSoft: '#351b19',
			warning: '#f0c274',
			warningSoft: '#30250f',
			// On a dark page, a shadow is a smear.
			shadow: '#00000000'
		}
	};
};

const accentError = (why: string): Error => new Error(`src/lib/brand/brand.ts: accent: ${why}`);
