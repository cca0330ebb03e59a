import { describe, expect, test } from 'vitest';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { brand } from '#lib/brand/brand.ts';
import { brandProblems } from '#lib/brand/generate/check-brand.ts';
import { nearestAccent, weakPairs } from '#lib/brand/generate/check-contrast.ts';
import { contrast, derivePalette } from '#lib/brand/generate/derive-palette.ts';
import type { SiteBrand } from '#lib/brand/site-brand.ts';
import { withoutProlog } from '#lib/brand/svg.ts';
import { projectRoot } from '../../support/files/scratch-copy.ts';

const logo = readFileSync(join(projectRoot, 'src/lib/brand/logo.svg'), 'utf8');
const problemsOf = (changed: Partial<SiteBrand>): readonly string[] =>
	brandProblems({ ...brand, ...changed }, logo);

const accents = fc
	.tuple(fc.nat(255), fc.nat(255), fc.nat(255))
	.map((parts) => `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`);

test('of a logo that a program saved, only the drawing is used', () => {
	const drawing = '<svg viewBox="0 0 1 1"><path/></svg>';
	const saved = `<?xml version="1.0"?>\n<!DOCTYPE svg>\n<!-- saved -->\n${drawing}\n`;
	expect(withoutProlog(saved)).toBe(drawing);
});

describe('the accent', () => {
	test('contrast is the ratio of WCAG', () => {
		expect(contrast('#000', '#fff')).toBe(21);
		// The examples of the guideline: the last grey that passes on white, and the first that fails.
		expect(contrast('#767676', '#ffffff')).toBeGreaterThan(4.5);
		expect(contrast('#777777', '#ffffff')).toBeLessThan(4.5);
	});

	test('the project’s own brand has no problem', () => {
		expect(brandProblems(brand, logo)).toEqual([]);
	});

	test.each(['#000000', '#333', '#0d604b', '#6b21a8', '#b42318', '#1d4ed8', 'rebeccapurple'])(
		'%s is taken as it is, and every pair of its colours reaches AA',
		(accent) => {
			expect(problemsOf({ accent })).toEqual([]);
			expect(contrast(derivePalette(accent).light.accent, accent)).toBeLessThan(1.01);
		}
	);

	test('one that is too light is refused in one line, with the nearest shade that is not', () => {
		const [problem = '', ...more] = problemsOf({ accent: '#ffd400' });
		expect(more).toEqual([]);
		expect(problem).toMatch(
			/^src\/lib\/brand\/brand\.ts: accent: #ffd400 has too little contrast for WCAG AA: accent on page reaches 1\.3 and needs 4\.5 in the light theme\. The nearest shade that does is #[0-9a-f]{6}$/
		);
		expect(problemsOf({ accent: problem.slice(-7) })).toEqual([]);
	});

	test('a colour of any hue reaches AA, or its nearest shade does', () => {
		fc.assert(
			fc.property(accents, (accent) => {
				const isFine = weakPairs(derivePalette(accent)).length === 0;
				const used = derivePalette(isFine ? accent : nearestAccent(accent));
				expect(weakPairs(used)).toEqual([]);
				// The logo of emails stands on a light or a dark page.
				for (const { page } of [used.light, used.dark]) {
					expect(contrast(used.accentOnBoth, page)).toBeGreaterThan(3);
				}
			}),
			{ numRuns: 40 }
		);
	});

	test.each(['grean', '', '#12345', '#0d604b80', 'transparent'])('"%s" is no colour', (accent) => {
		expect(problemsOf({ accent })).toEqual([
			`src/lib/brand/brand.ts: accent: "${accent}" is not an opaque colour. Write one such as #0d604b`
		]);
	});
});

describe('the other values', () => {
	test.each<[string, Partial<SiteBrand>, string]>([
		['an empty name', { name: '' }, 'name: it is empty'],
		['a name of two lines', { name: 'Acme\nGarden' }, 'name: it is too long or has several lines'],
		['a support address that is none', { supportEmail: 'help' }, 'supportEmail: "help" is not'],
		['a link to a script', { links: [{ text: 'x', href: 'javascript:alert(1)' }] }, 'links: "java'],
		['a link without https', { links: [{ text: 'x', href: 'http://a.example' }] }, 'links: "http:'],
		[
			'a legal link to another host',
			{ legal: { ...brand.legal, terms: '//a.example' } },
			'links: "//'
		],
		['a link without a text', { links: [{ text: ' ', href: '/x' }] }, 'links: one has no text']
	])('%s is refused in one line', (_, changed, start) => {
		const problems = problemsOf(changed);
		expect(problems).toHaveLength(1);
		expect(problems[0]).toMatch(/^[^\n]+$/);
		expect(problems[0]).toContain(`src/lib/brand/brand.ts: ${start}`);
	});

	test.each([
		['<svg><path/></svg>', 'it has no viewBox'],
		['<svg viewBox="0 0 1 1"><style>a{}</style></svg>', 'it contains "<style"'],
		['<svg viewBox="0 0 1 1"><script/></svg>', 'it contains "<script"'],
		['<svg viewBox="0 0 1 1"><g onload="x"/></svg>', 'it contains "onload="'],
		['<svg viewBox="0 0 1 1"><g style="fill:red"/></svg>', 'it contains "style="'],
		['<svg viewBox="0 0 1 1"><image href="x"/></svg>', 'it contains "<image"'],
		['<svg viewBox="0 0 1 1"><title>{x}</title></svg>', 'it contains "{"']
	])('the logo %s is refused, because pages would not show it', (logo, why) => {
		expect(brandProblems(brand, logo)).toEqual([
			expect.stringContaining(`src/lib/brand/logo.svg: ${why}`)
		]);
	});
});
