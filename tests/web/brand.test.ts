import Color from 'colorjs.io';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { derivePalette, type Theme } from '#lib/brand/derive-palette.ts';
import { logoDrawing } from '#lib/brand/logo-drawing.ts';

type Pair = readonly [colour: keyof Theme, on: keyof Theme, least: number];

const on = (colours: readonly (keyof Theme)[], grounds: readonly (keyof Theme)[], least: number) =>
	colours.flatMap((colour) => grounds.map((ground): Pair => [colour, ground, least]));

/** Every colour with every background that pages and emails show it on, and what WCAG AA asks for. */
const PAIRS: readonly Pair[] = [
	...on(['text', 'muted'], ['page', 'surface', 'accentSoft'], 4.5),
	...on(['text', 'danger'], ['dangerSoft'], 4.5),
	...on(['text'], ['warningSoft'], 4.5),
	...on(['accent', 'accentStrong', 'danger'], ['page', 'surface'], 4.5),
	...on(['onAccent'], ['accent', 'accentStrong'], 4.5),
	...on(['fieldLine', 'accentStrong'], ['page', 'surface'], 3)
];

const contrast = (one: string, other: string): number => new Color(one).contrastWCAG21(other);

/** Colours that are dark enough for text. */
const accents = fc
	.tuple(fc.nat(255), fc.nat(255), fc.nat(255))
	.map((parts) => `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`)
	.filter((accent) => contrast(accent, '#f0f0f0') >= 4.5);

describe('the accent', () => {
	test.each(['#000000', '#333', '#0d604b', '#6b21a8', '#b42318', '#1d4ed8', 'rebeccapurple'])(
		'%s is taken as it is',
		(accent) => {
			expect(contrast(derivePalette(accent).light.accent, accent)).toBeLessThan(1.01);
		}
	);

	test('gives colours that all reach AA, in any hue that is dark enough', () => {
		fc.assert(
			fc.property(accents, (accent) => {
				const { light, dark } = derivePalette(accent);
				for (const theme of [light, dark]) {
					const weak = PAIRS.filter(
						([colour, ground, least]) => contrast(theme[colour], theme[ground]) < least
					);
					expect(weak).toEqual([]);
				}
			}),
			{ numRuns: 40 }
		);
	});

	test.each([
		['#ffd400', '#ffd400 on a page has a contrast of 1.3, and WCAG AA needs 4.5'],
		...['grean', '', '#12345', '#0d604b80', 'transparent'].map((accent) => [
			accent,
			`"${accent}" is not an opaque colour`
		])
	])('"%s" stops the build in one line: %s', (accent = '', why = '') => {
		expect(() => derivePalette(accent)).toThrow(`src/lib/brand/brand.ts: accent: ${why}`);
	});
});

describe('the logo', () => {
	test('is the drawing without what a program saves around it', () => {
		const drawing = '<svg viewBox="0 0 1 1"><path/></svg>';
		const saved = `<?xml version="1.0"?>\n<!DOCTYPE svg>\n<!-- saved -->\n${drawing}\n`;
		expect(logoDrawing(saved)).toBe(drawing);
	});

	test.each([
		['<svg><path/></svg>', 'it has no viewBox'],
		['<svg viewBox="0 0 1 1"><style>a{}</style></svg>', 'pages do not show its "<style"'],
		['<svg viewBox="0 0 1 1"><script/></svg>', 'pages do not show its "<script"'],
		['<svg viewBox="0 0 1 1"><g onload="x"/></svg>', 'pages do not show its "onload="'],
		['<svg viewBox="0 0 1 1"><g style="fill:red"/></svg>', 'pages do not show its "style="'],
		['<svg viewBox="0 0 1 1"><image href="x"/></svg>', 'pages do not show its "<image"'],
		['<svg viewBox="0 0 1 1"><title>{x}</title></svg>', 'pages do not show its "{"']
	])('%s stops the build', (logo, why) => {
		expect(() => logoDrawing(logo)).toThrow(`src/lib/brand/logo.svg: ${why}`);
	});
});
