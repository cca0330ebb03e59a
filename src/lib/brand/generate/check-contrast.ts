import {
	contrast,
	derivePalette,
	withLightness,
	type Palette,
	type Theme
} from './derive-palette.ts';

/** The least contrast of WCAG AA: for text, and for the borders of fields and other graphics. */
const TEXT = 4.5;
const GRAPHIC = 3;
/** Halvings of the range of lightness. */
const STEPS = 8;

type Pair = readonly [colour: keyof Theme, on: keyof Theme, least: number];

const on = (colours: readonly (keyof Theme)[], grounds: readonly (keyof Theme)[], least: number) =>
	colours.flatMap((colour) => grounds.map((ground): Pair => [colour, ground, least]));

/** Every colour with every background that pages and emails show it on. */
const PAIRS: readonly Pair[] = [
	...on(['text', 'muted'], ['page', 'surface', 'sunken', 'accentSoft'], TEXT),
	...on(['text'], ['dangerSoft'], TEXT),
	...on(['accent', 'accentStrong', 'danger'], ['page', 'surface', 'sunken'], TEXT),
	...on(['danger'], ['dangerSoft'], TEXT),
	...on(['onAccent'], ['accent', 'accentStrong'], TEXT),
	...on(['fieldLine', 'focus'], ['page', 'surface'], GRAPHIC)
];

export interface WeakPair {
	readonly theme: 'light' | 'dark';
	readonly colour: keyof Theme;
	readonly on: keyof Theme;
	readonly ratio: number;
	readonly least: number;
}

/** The pairs of colours that do not reach AA. */
export const weakPairs = (palette: Palette): readonly WeakPair[] =>
	(['light', 'dark'] as const).flatMap((theme) =>
		PAIRS.flatMap(([colour, on, least]) => {
			const ratio = contrast(palette[theme][colour], palette[theme][on]);
			return ratio < least ? [{ theme, colour, on, ratio, least }] : [];
		})
	);

/** The lightest shade of the accent that reaches AA. Contrast grows as lightness falls. */
export const nearestAccent = (accent: string): string => {
	let [reaches, fails] = [0, 1];
	for (let step = 0; step < STEPS; step += 1) {
		const middle = (reaches + fails) / 2;
		const isWeak = weakPairs(derivePalette(withLightness(accent, middle))).length > 0;
		[reaches, fails] = isWeak ? [reaches, middle] : [middle, fails];
	}
	return withLightness(accent, reaches);
};
