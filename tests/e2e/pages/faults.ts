import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from '@playwright/test';
import type { AxeResults } from 'axe-core';
import { loaded } from '../../support/e2e/arrival.ts';

/** WCAG 2.2 AA, and axe’s own best practices. */
const ALL_RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** In pixels: the width of a 1280 desktop at 400 %, and of the narrowest phone. */
const NARROW = { width: 320, height: 640 };
/** The size of click targets, in pixels; axe checks links within text, for 24. */
const TARGET = 44;

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const axe = async (page: Page): Promise<readonly string[]> => {
	const options = JSON.stringify({ runOnly: ALL_RULES, resultTypes: ['violations'] });
	await page.evaluate(AXE);
	const { violations } = await page.evaluate<AxeResults>(`axe.run(${options})`);
	return violations.flatMap(({ id, nodes }) =>
		nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary}`)
	);
};

/** Checks that axe does not have; runs in the page. */
const ownRules = (least: number): string[] => {
	const faults: string[] = [];
	const { lang, dir } = document.documentElement;
	if (lang === '' || dir === '') faults.push(`language "${lang}", direction "${dir}"`);
	for (const { href, sheet } of document.querySelectorAll<HTMLLinkElement>(
		'link[rel="stylesheet"]'
	)) {
		if (sheet === null) faults.push(`a stylesheet that was not applied: ${href}`);
	}
	const headings = document.querySelectorAll('h1').length;
	if (headings !== 1) faults.push(`${headings} headings of the first level`);

	const described = [...document.querySelectorAll('[aria-describedby]')].flatMap((element) =>
		(element.getAttribute('aria-describedby') ?? '').split(' ')
	);
	for (const { id } of document.querySelectorAll('p[id$="-error"]')) {
		if (!described.includes(id)) faults.push(`no field is described by its error: #${id}`);
	}
	for (const field of document.querySelectorAll('[aria-invalid="true"]')) {
		const ids = (field.getAttribute('aria-describedby') ?? '').split(' ');
		if (!ids.some((id) => /-(?:error|message)$/.test(id) && document.getElementById(id)))
			faults.push(`an invalid field has no error text: #${field.id}`);
	}

	const pressed = 'button, .button, .link, summary, label.check, footer a, input:not([type])';
	for (const element of document.querySelectorAll(`${pressed}, input[type="email"]`)) {
		const { width, height } = element.getBoundingClientRect();
		const isSeen = element.checkVisibility({ contentVisibilityAuto: true }) && width > 1;
		if (isSeen && (height < least - 0.5 || width < 24))
			faults.push(`${width} × ${height} pixels: ${element.outerHTML.slice(0, 120)}`);
	}
	return faults;
};

/**
 * All faults of a page in its present state. axe sees it on a small phone in dark mode, or on a desktop
 * in light mode: brand.test.ts compares the colours of both modes. Our own rules see both sizes.
 */
export const faultsOf = async (
	page: Page,
	axeSees: 'phone' | 'desktop'
): Promise<readonly string[]> => {
	await loaded(page);
	const faults: string[] = [];
	for (const size of ['desktop', 'phone'] as const) {
		if (size === 'phone') {
			await page.emulateMedia({ colorScheme: 'dark' });
			await page.setViewportSize(NARROW);
		}
		const found = await page.evaluate(ownRules, TARGET);
		if (size === axeSees) found.push(...(await axe(page)));
		faults.push(...found.map((fault) => `${size}: ${fault}`));
	}
	const moving = await page.evaluate(() => document.getAnimations().length);
	if (moving > 0) faults.push(`${moving} things move, though nothing should`);
	const width = await page.evaluate(() => {
		// Code scrolls sideways in its own block.
		const boxes = [...document.querySelectorAll('body *:not(pre *)')].map((one) =>
			one.getBoundingClientRect()
		);
		return Math.max(document.documentElement.scrollWidth, ...boxes.map(({ right }) => right | 0));
	});
	if (width > NARROW.width) faults.push(`${width} pixels wide where ${NARROW.width} are there`);
	return faults;
};
